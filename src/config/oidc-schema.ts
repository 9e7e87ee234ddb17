// The shape of `[http] oidc`: the provider at which people sign in.
import { z } from 'zod';
import type { OidcShape } from './file-shape.ts';
import { text, texts } from './value-schemas.ts';

export const oidc: z.ZodType<OidcShape> = z.strictObject({
  issuer: text.describe(
    'Issuer as the provider itself writes it, https, or http on this computer.',
  ),
  client_id: text.min(1).max(255).describe('Id of this gateway at the provider.'),
  client_secret: text
    .exactOptional()
    .describe('Its secret, or `file:<path>`; absent for a public client.'),
  acr: text
    .min(1)
    .exactOptional()
    .describe('Class of sign-in (`acr`) that is asked for and demanded.'),
  amr: texts
    .min(1)
    .exactOptional()
    .describe('Methods of sign-in (`amr`, RFC 8176) of which one must have been used.'),
} satisfies Record<keyof OidcShape, z.ZodType>);
