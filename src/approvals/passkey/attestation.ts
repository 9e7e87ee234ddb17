// Whether a maker vouches for the model of an authenticator. The library skips this chain when it has
// no roots of the format, so the roots of the operator are checked here, in any case.
import { X509Certificate } from 'node:crypto';

/** Certificates of a chain that is followed. */
const chainMax = 6;

/** True for a `packed` statement whose certificates lead to one of the roots (PEM). */
export function isAttestedModel(
  {
    format,
    certificates,
  }: { readonly format: string; readonly certificates: readonly Uint8Array[] },
  roots: readonly string[],
): boolean {
  if (format !== 'packed' || certificates.length === 0 || certificates.length > chainMax) {
    return false;
  }
  const chain = parse(certificates);
  if (chain === undefined) return false;
  return (
    chain.every(isValidNow) &&
    chain.every((each, i) => i === chain.length - 1 || isSignedBy(each, chain[i + 1])) &&
    roots.map((pem) => new X509Certificate(pem)).some((root) => endsAt(chain, root))
  );
}

function parse(certificates: readonly Uint8Array[]): readonly X509Certificate[] | undefined {
  try {
    return certificates.map((der) => new X509Certificate(der));
  } catch {
    return undefined;
  }
}

function isValidNow({ validFromDate, validToDate }: X509Certificate): boolean {
  const nowMs = Date.now();
  return validFromDate.getTime() <= nowMs && nowMs <= validToDate.getTime();
}

const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate | undefined): boolean =>
  issuer?.ca === true && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

/** The last one is the root itself, or was issued by it. */
function endsAt(chain: readonly X509Certificate[], root: X509Certificate): boolean {
  const last = chain.at(-1);
  return last !== undefined && (last.raw.equals(root.raw) || isSignedBy(last, root));
}
