// The library of passkeys, loaded when the first one is asked for: a start without any does not pay.

type Library = typeof import('@simplewebauthn/server');
type Helpers = typeof import('@simplewebauthn/server/helpers');

export const loadLibrary = (): Promise<Library> => import('@simplewebauthn/server');

/** Readers of the binary parts. */
export const loadHelpers = (): Promise<Helpers> => import('@simplewebauthn/server/helpers');
