// Every refusal of the page: its status, and the sentence a person reads. No detail beyond that.

/** One kind of refusal. */
export interface PageFault {
  readonly status: number;
  readonly title: string;
}

export type PageFaultCode =
  | 'BAD_REQUEST'
  | 'FORBIDDEN'
  | 'PASSCODE_WRONG'
  | 'APPROVAL_NOT_ELIGIBLE'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'TOO_SLOW'
  | 'ENDED'
  | 'ANSWERED_ALREADY'
  | 'TOO_EARLY'
  | 'FACTOR_REFUSED'
  | 'PASSKEY_REFUSED'
  | 'SIGN_IN_NEEDED'
  | 'SIGN_IN_REFUSED'
  | 'CODE_REFUSED'
  | 'PASSCODE_UNFIT'
  | 'TOO_FAST'
  | 'TYPED_WRONG'
  | 'SESSION_ENDED'
  | 'EXECUTION_CHANGED'
  | 'PREVIEW_INCOMPLETE'
  | 'BODY_TOO_LARGE'
  | 'UNSUPPORTED_TYPE'
  | 'HOST_REFUSED'
  | 'PASSCODE_LOCKED'
  | 'TOO_MANY_TRIES'
  | 'INTERNAL';

export const pageFaults: Readonly<Record<PageFaultCode, PageFault>> = {
  BAD_REQUEST: { status: 400, title: 'The page did not understand this.' },
  FORBIDDEN: { status: 403, title: 'This page is too old or was not opened here: load it again.' },
  PASSCODE_WRONG: { status: 403, title: 'Wrong passcode. Nothing was changed.' },
  APPROVAL_NOT_ELIGIBLE: { status: 403, title: 'This person may not answer this request.' },
  NOT_FOUND: { status: 404, title: 'There is nothing here.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Opening a link never answers a request.' },
  TOO_SLOW: { status: 408, title: 'The answer took too long to arrive.' },
  ANSWERED_ALREADY: {
    status: 409,
    title: 'You have approved this already. Another person has to answer.',
  },
  TOO_EARLY: { status: 409, title: 'The waiting time is not over. Nothing was changed.' },
  FACTOR_REFUSED: { status: 403, title: 'This way of answering is not enough for this request.' },
  PASSKEY_REFUSED: { status: 403, title: 'This passkey was not accepted. Nothing was changed.' },
  SIGN_IN_NEEDED: { status: 403, title: 'Sign in first: nobody is signed in here any more.' },
  SIGN_IN_REFUSED: {
    status: 403,
    title: 'This name and what came with it do not fit, or it is locked for a while.',
  },
  CODE_REFUSED: {
    status: 403,
    title: 'This code is wrong, was used, or is too old: ask for a new one.',
  },
  PASSCODE_UNFIT: {
    status: 400,
    title: 'A passcode has 8 to 128 characters. Nothing was changed.',
  },
  TYPED_WRONG: { status: 403, title: 'These are not the last characters. Nothing was changed.' },
  SESSION_ENDED: {
    status: 403,
    title: 'Typed wrong three times: you are signed out. The request is still open.',
  },
  TOO_FAST: {
    status: 409,
    title: 'This was quicker than anybody reads: look at it once more, then answer.',
  },
  ENDED: { status: 409, title: 'This request has ended. Nothing was changed.' },
  EXECUTION_CHANGED: {
    status: 409,
    title: 'The operation is not the one that was shown: load the page again.',
  },
  PREVIEW_INCOMPLETE: { status: 409, title: 'Open every long text before you approve.' },
  BODY_TOO_LARGE: { status: 413, title: 'The answer is too large.' },
  UNSUPPORTED_TYPE: { status: 415, title: 'An answer is sent as JSON.' },
  HOST_REFUSED: { status: 421, title: 'This page answers only under its own address.' },
  PASSCODE_LOCKED: {
    status: 429,
    title: 'Too many wrong passcodes: no answer is taken for a while.',
  },
  TOO_MANY_TRIES: { status: 429, title: 'Too many tries at once: wait a moment.' },
  INTERNAL: { status: 500, title: 'Something went wrong here: load the page again.' },
};
