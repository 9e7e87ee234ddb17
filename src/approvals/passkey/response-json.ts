// What the browser sends back, as JSON that anybody could have written: bounded before it is decoded.
import { z } from 'zod';
import { passkeyPartMaxBytes } from '../../receipts/passkey-evidence.ts';

/** Answer to `navigator.credentials.create()` (`PublicKeyCredential.toJSON()`), as far as it is read. */
export interface EnrolmentJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: string[];
  };
}

/** Answer to `navigator.credentials.get()`, as far as it is read. */
export interface AssertionJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null;
  };
}

/** Bytes of an attestation object; a chain of certificates takes most of it. */
const attestationMaxBytes = 12_288;
const userHandleMaxBytes = 64;
const transportsMax = 10;

/** Base64url without padding, of 1 to so many bytes. */
const bytesText = (maxBytes: number): z.ZodString =>
  z
    .string()
    .min(2)
    .max(Math.ceil((maxBytes * 4) / 3))
    .regex(/^[A-Za-z0-9_-]+$/);

const credential = {
  id: bytesText(passkeyPartMaxBytes.credential),
  rawId: bytesText(passkeyPartMaxBytes.credential),
  type: z.literal('public-key'),
};
const clientDataJSON = bytesText(passkeyPartMaxBytes.client_data);

/** Other members are dropped: browsers send more with every version. */
export const enrolmentSchema: z.ZodType<EnrolmentJson> = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    attestationObject: bytesText(attestationMaxBytes),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(transportsMax)
      .exactOptional(),
  }),
});

export const assertionSchema: z.ZodType<AssertionJson> = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    authenticatorData: bytesText(passkeyPartMaxBytes.authenticator_data),
    signature: bytesText(passkeyPartMaxBytes.signature),
    userHandle: bytesText(userHandleMaxBytes).nullable().exactOptional(),
  }),
});
