// Loads the check of timestamps where the packages that it needs are installed.

/** The module, without the packages behind it in its type. */
export type Timestamps = Pick<
  typeof import('./timestamp-token.ts'),
  'checkTimestamp' | 'formatTimestampRequest' | 'readTimestampReply'
>;

/** How somebody gets them. */
export const timestampPackages = 'npm install pkijs asn1js';

const importToken = (): Promise<Timestamps> => import('./timestamp-token.ts');

/** Undefined where a package is missing. */
export async function loadTimestamps(
  load: () => Promise<Timestamps> = importToken,
): Promise<Timestamps | undefined> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}
