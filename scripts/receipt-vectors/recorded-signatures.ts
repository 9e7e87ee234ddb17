// Signatures of keys that are gone, over what `signedAnswer` makes by default: ECDSA takes a random
// number for each, so it cannot be made again, and the keys are no secrets in this repository.

/** COSE key and signature, base64url, by algorithm. */
export const recordedSignatures: Readonly<
  Record<'ES256' | 'RS256', { readonly publicKey: string; readonly signature: string }>
> = {
  ES256: {
    publicKey:
      'pQECAyYgASFYIGlc4S-CLEarz4e98XTRyr-lYRbQQIPcS1L7DZon29TbIlggS4zpMUwLhs9S3bIM7bmDg4jo-Kt1VhdG3GWvD390DnY',
    signature:
      'MEUCIHSfYXeEzLy-nnMe0dcIyfgswAyDukgzeNVa1U3e5AWkAiEAgXg6rUMSGNuj9RzJzD-hSl2j3iW4leq874mYyWJt1rw',
  },
  RS256: {
    publicKey:
      'pAEDAzkBACBZAQDaKnTC1fSytBpmdLZx91wEZu13u9ajvcjo8_cbtA-ULmeALWvTDDkbXLZvEB4vKb-rBBGKKZO9outBkaqdBBVdT-LTEQ0gv7M5-DqIkG6hQFeLAmE37WoJ87k5vn1BobYjyNsK6BKowVgjblPfA3dhVDQa3h8Zq4cxxsbbvJ03LO6t5IhMWl_jh4p27GIXLTPE7PMGbtyws7lUPYle53_1jO6aL4S6uQcBL1Gv3XQ45YqC4J3j9gh6eWZiKg1ZSCrQ70UzTOS_4-qCaZWzXA0Qq0yrJSTd7Z_A6ozhUwTh7YSR0ODouCZk-LnoMOEUWeIeNNVTPKemZyAOefcVY6mHIUMBAAE',
    signature:
      '14R4xHOTY-n2BIOQldlHOPUDSvMPmtdHIi0rj8ZeyntkVTnXre6DSULftQDjavrCLUjrCAqk19FBg84ZGIWbYE6T1zfsw4TQ3wiEA9q9mv5MH3EqKDkDDmKqeK_QaaXDWY-vtl3YHOwzLoFNQtQif6xJqaJYMTTCVSMaPc-kXc_1QIP4voDqSOmdJfr6H2qjZCp3-OGlOQ9RXTm6fkIYpfh5yLuxXTOvGJRspVXJquQGkB1EejV93qSVWVL6g-6varoaIKQ4cw4HTizPSVg3Aom8RmzRxzHSU5DCsDEkRtp-jnuo_GcyQxU4DSb7b0NqbQC8dQqh4OB43a10U0oDVA',
  },
};
