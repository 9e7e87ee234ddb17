// Reads and checks tokens of RFC 3161 with `pkijs`, an optional peer: loaded by load-timestamps.ts alone.
import { fromBER, Integer, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  AlgorithmIdentifier,
  type Attribute,
  Certificate,
  type CertificateChainValidationEngine,
  ContentInfo,
  type ExtKeyUsage,
  id_eContentType_TSTInfo,
  MessageImprint,
  SignedData,
  SignedDataVerifyError,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { err, ok, type Result } from '../core/result.ts';
import { sha256 } from '../core/sha256.ts';
import {
  type TimestampFault,
  type TimestampQuestion,
  timestampSizeMaxBytes,
} from './timestamp-evidence.ts';

const oids = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  extKeyUsage: '2.5.29.37',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
} as const;

/** A chain has three or four; more are there to make the search for one long. */
const certificatesMax = 16;
/** Steps of that search: certificates that vouch for each other would never end it. */
const chainStepsMax = 32;

/** The question to an authority about one text, and what its answer must repeat. */
export interface TimestampRequest {
  /** DER. */
  readonly body: Uint8Array;
  readonly nonce: Uint8Array;
}

/** `nonce` = 16 random bytes. */
export function formatTimestampRequest(text: Uint8Array, nonce: Uint8Array): TimestampRequest {
  const number = nonceNumber(nonce);
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: oids.sha256 }),
      hashedMessage: new OctetString({ valueHex: sha256(text) }),
    }),
    nonce: number,
    certReq: true,
  });
  return { body: new Uint8Array(request.toSchema().toBER()), nonce };
}

/** Why an answer is not kept: it was refused, it is about another request, or its token is bad. */
export type TimestampReplyFault = 'TIMESTAMP_REFUSED' | 'TIMESTAMP_OTHER_NONCE' | TimestampFault;

/** The token of an answer (DER of TimeStampResp), checked against the request. */
export async function readTimestampReply(
  reply: Uint8Array,
  request: { readonly text: Uint8Array; readonly nonce: Uint8Array },
): Promise<Result<Uint8Array, TimestampReplyFault>> {
  const read = attempt(() => new TimeStampResp({ schema: parseDer(reply) }));
  if (read === undefined) return err('TIMESTAMP_MALFORMED');
  const { status, timeStampToken } = read;
  if (status.status > grantedWithChanges) return err('TIMESTAMP_REFUSED');
  const token = attempt(() => new Uint8Array(timeStampToken?.toSchema().toBER() as ArrayBuffer));
  const parsed = token && parseToken(token);
  if (token === undefined || parsed === undefined) return err('TIMESTAMP_MALFORMED');
  const isOwn = parsed.info.nonce?.isEqual(nonceNumber(request.nonce)) === true;
  if (!isOwn) return err('TIMESTAMP_OTHER_NONCE');
  const checked = await checkTimestamp(token, { texts: [request.text], roots: undefined });
  return checked.ok ? ok(token) : checked;
}

/** 0 = granted, 1 = granted with changes. */
const grantedWithChanges = 1;

/** A positive number: its first byte is 1 to 127. */
function nonceNumber(nonce: Uint8Array): Integer {
  const bytes = Uint8Array.from(nonce, (byte, i) => (i === 0 ? (byte & 0x3f) | 0x40 : byte));
  return new Integer({ valueHex: bytes });
}

/** Checks one token: what it is about, its signature, and the certificate at the time that it names. */
export async function checkTimestamp(
  token: Uint8Array,
  { texts, roots }: TimestampQuestion,
): Promise<Result<{ readonly timeMs: number }, TimestampFault>> {
  const parsed = parseToken(token);
  if (parsed === undefined) return err('TIMESTAMP_MALFORMED');
  const { info, signed } = parsed;
  const text = texts.find((each) => isAbout(info, each));
  if (text === undefined) return err('TIMESTAMP_OTHER_NOTE');
  const signer = await verifySigner(signed, { text, roots });
  if (!signer.ok) return signer;
  const isSigner = await isNamedSigner(signed, signer.value);
  return isSigner && isForTimestamps(signer.value) && isValidAt(signer.value, info.genTime)
    ? ok({ timeMs: info.genTime.getTime() })
    : err('TIMESTAMP_CERTIFICATE');
}

interface ParsedToken {
  readonly signed: SignedData;
  readonly info: TSTInfo;
}

/** One signer, signed attributes, and a content that is a timestamp: everything else is no token. */
function parseToken(token: Uint8Array): ParsedToken | undefined {
  if (token.length > timestampSizeMaxBytes) return undefined;
  return attempt(() => {
    const { contentType, content } = new ContentInfo({ schema: parseDer(token) });
    const signed = new SignedData({ schema: content });
    const { eContentType, eContent } = signed.encapContentInfo;
    const info = TSTInfo.fromBER((eContent as OctetString).getValue());
    const isWhole =
      contentType === ContentInfo.SIGNED_DATA &&
      eContentType === id_eContentType_TSTInfo &&
      signed.signerInfos.length === 1 &&
      (signed.certificates ?? []).length <= certificatesMax &&
      isSignedContent(signed) &&
      Number.isFinite(info.genTime.getTime());
    return isWhole ? { signed, info } : undefined;
  });
}

/** The attributes say, once each, that a timestamp was signed, and its digest. */
function isSignedContent(signed: SignedData): boolean {
  const types = attributesOf(signed, oids.contentType);
  const [type] = types.flatMap(({ values }) => values as readonly unknown[]);
  return (
    types.length === 1 &&
    attributesOf(signed, oids.messageDigest).length === 1 &&
    type instanceof ObjectIdentifier &&
    type.getValue() === id_eContentType_TSTInfo
  );
}

function attributesOf(signed: SignedData, type: string): readonly Attribute[] {
  const attributes = signed.signerInfos[0]?.signedAttrs?.attributes ?? [];
  return attributes.filter((attribute) => attribute.type === type);
}

function isAbout({ messageImprint }: TSTInfo, text: Uint8Array): boolean {
  return (
    messageImprint.hashAlgorithm.algorithmId === oids.sha256 &&
    Buffer.from(sha256(text)).equals(messageImprint.hashedMessage.valueBlock.valueHexView)
  );
}

/** The certificate whose key signed the token, and with roots one that a chain leads from. */
async function verifySigner(
  signed: SignedData,
  { text, roots }: { readonly text: Uint8Array; readonly roots: TimestampQuestion['roots'] },
): Promise<Result<Certificate, TimestampFault>> {
  const trustedCerts = (roots ?? []).flatMap(
    (der) => attempt(() => Certificate.fromBER(Uint8Array.from(der))) ?? [],
  );
  let stepsLeft = chainStepsMax;
  const findIssuer = async (
    certificate: Certificate,
    engine: CertificateChainValidationEngine,
  ): Promise<Certificate[]> => {
    stepsLeft -= 1;
    if (stepsLeft < 0) throw new Error('no end to the chain');
    return engine.defaultFindIssuer(certificate, engine);
  };
  const options = {
    ...{ signer: 0, data: Uint8Array.from(text).buffer, extendedMode: true as const },
    ...{ trustedCerts, checkChain: roots !== undefined, findIssuer },
  };
  try {
    const { signatureVerified, signerCertificate } = await signed.verify(options);
    return signatureVerified === true && signerCertificate !== null
      ? ok(signerCertificate as Certificate)
      : err('TIMESTAMP_SIGNATURE_INVALID');
  } catch (error) {
    const isChain = error instanceof SignedDataVerifyError && error.code === chainFailed;
    return err(isChain ? 'TIMESTAMP_ROOT_UNKNOWN' : 'TIMESTAMP_SIGNATURE_INVALID');
  }
}

/** The code that `pkijs` has for it. */
const chainFailed = 5;

/** For timestamps, for nothing else, and critical: RFC 3161 section 2.3. */
function isForTimestamps(certificate: Certificate): boolean {
  const extension = certificate.extensions?.find(({ extnID }) => extnID === oids.extKeyUsage);
  const usage = extension?.parsedValue as ExtKeyUsage | undefined;
  return (
    extension?.critical === true &&
    usage?.keyPurposes.length === 1 &&
    usage.keyPurposes[0] === oids.timeStamping
  );
}

function isValidAt({ notBefore, notAfter }: Certificate, time: Date): boolean {
  return notBefore.value <= time && time <= notAfter.value;
}

/** The signed attributes name that certificate by its hash: another one over the same key is none. */
async function isNamedSigner(signed: SignedData, certificate: Certificate): Promise<boolean> {
  const [v2] = attributesOf(signed, oids.signingCertificateV2);
  const [v1] = attributesOf(signed, oids.signingCertificate);
  const named = v2 === undefined ? readCertId(v1, 'SHA-1') : readCertId(v2, 'SHA-256');
  if (named === undefined) return false;
  const der = certificate.toSchema().toBER();
  const digest = await globalThis.crypto.subtle.digest(named.algorithm, der);
  return Buffer.from(digest).equals(named.hash);
}

interface CertId {
  readonly algorithm: string;
  readonly hash: Uint8Array;
}

/** SEQUENCE { SEQUENCE OF ESSCertID, … }, of which the first is the signer: [algorithm,] hash, … */
function readCertId(
  attribute: Attribute | undefined,
  algorithmDefault: string,
): CertId | undefined {
  return attempt(() => {
    const [list] = sequence(attribute?.values[0]);
    const [first, second] = sequence(sequence(list)[0]);
    if (first instanceof OctetString) {
      return { algorithm: algorithmDefault, hash: first.valueBlock.valueHexView };
    }
    const [oid] = sequence(first);
    const algorithm = digests.get((oid as ObjectIdentifier).getValue());
    const { valueHexView: hash } = (second as OctetString).valueBlock;
    return algorithm === undefined ? undefined : { algorithm, hash };
  });
}

const digests: ReadonlyMap<string, string> = new Map([
  [oids.sha256, 'SHA-256'],
  [oids.sha384, 'SHA-384'],
  [oids.sha512, 'SHA-512'],
]);

function sequence(value: unknown): readonly unknown[] {
  if (!(value instanceof Sequence)) throw new TypeError('no sequence');
  return value.valueBlock.value;
}

/** One value and nothing behind it. */
function parseDer(bytes: Uint8Array): Sequence {
  const { offset, result } = fromBER(bytes);
  if (offset !== bytes.length) throw new RangeError('not one DER value');
  return result as Sequence;
}

/** Undefined for bytes on which a parser throws. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
