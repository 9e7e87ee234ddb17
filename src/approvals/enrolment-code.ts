// One-time codes that a person enrols with. The store knows a code by its hash only.
import { sha256Hex } from '../core/sha256.ts';

/** As people type it: groups and case make no difference. */
const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

/** Record id (kind `enrolment`) of a code: hex SHA-256 of it in capitals, without groups. */
export const enrolmentCodeId = (typed: string): string => sha256Hex(plainCode(typed));
