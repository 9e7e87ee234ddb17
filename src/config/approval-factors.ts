// What may count as a person's answer, weak to strong.
import type { Assurance } from '../core/operation.ts';

export const approvalFactors: readonly Assurance[] = [
  'elicitation',
  'passcode',
  'oidc',
  'passkey',
  'passkey-bound',
];
