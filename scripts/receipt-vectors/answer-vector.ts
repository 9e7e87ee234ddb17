// What our verifier says about a vector, in the words of its `expect`.
import { verifyBundle } from '../../src/receipts/verify.ts';
import type { ReceiptVector } from './receipt-vector.ts';

/** A verdict with what explains it. */
export type VectorAnswer = ReceiptVector['expect'];

/** The answer to one bundle under one trust file, on a platform without ML-DSA-44: so on every one. */
export async function answerVector({
  bundle,
  trust,
  previous,
}: Pick<ReceiptVector, 'bundle' | 'trust' | 'previous'>): Promise<VectorAnswer> {
  const given = previous === undefined ? {} : { previous };
  const report = await verifyBundle(bundle, { trust, mlDsa44: null, ...given });
  if (report.verdict === 'bad_input') {
    return { verdict: report.verdict, input: report.input, code: report.fault.code };
  }
  const failed = report.steps.find(({ step }) => step === report.failedStep);
  if (failed === undefined) {
    const isRedacted = report.steps.some(({ code }) => code === 'REDACTED');
    const { approval } = report;
    return {
      verdict: 'valid',
      ...(isRedacted ? { redacted: true } : {}),
      ...(approval === undefined ? {} : { approval: approval.proof }),
    };
  }
  return { verdict: 'invalid', step: failed.step, code: failed.code };
}
