// `intentplane passcode`: the line for `[approvals] passcode`.
import { makePasscodeString } from '../../approvals/make-passcode-string.ts';
import { passcodeLength } from '../../approvals/passcode-rules.ts';
import { readHidden } from '../ask-passcode.ts';
import type { Command } from '../command.ts';

export const passcodeCommand: Command = {
  name: 'passcode',
  summary: 'hash a passcode for the approval page',
  usage: '',
  example: 'intentplane passcode   # asks, then prints the line for [approvals]',
  options: {},
  optionHelp: {},
  required: [],
  positionals: [0, 0],
  run: async ({ output }) => {
    const made = await makePasscodeString(await readHidden('new passcode: '));
    if (!made.ok) {
      const rule = `a passcode has ${passcodeLength.min} to ${passcodeLength.max} characters and no control characters`;
      output.note(rule);
      output.answer({ ok: false, error: made.error }, []);
      return 1;
    }
    output.answer({ ok: true, passcode: made.value }, [`passcode = "${made.value}"`]);
    return 0;
  },
};
