// The table of commands.
import type { Command } from './command.ts';
import { demoCommand } from './commands/demo.ts';
import { demoServerCommand } from './commands/demo-server.ts';
import { mandateResumeCommand } from './commands/mandate-resume.ts';
import { mcpPinsCommand } from './commands/mcp-pins.ts';
import { mcpRunCommand } from './commands/mcp-run.ts';
import { passcodeCommand } from './commands/passcode.ts';
import { receiptsExportCommand } from './commands/receipts-export.ts';
import { receiptsShowCommand } from './commands/receipts-show.ts';
import { verifyCommand } from './commands/verify.ts';

const all: readonly Command[] = [
  demoCommand,
  demoServerCommand,
  mcpRunCommand,
  mcpPinsCommand,
  passcodeCommand,
  mandateResumeCommand,
  receiptsShowCommand,
  receiptsExportCommand,
  verifyCommand,
];

export const commands: ReadonlyMap<string, Command> = new Map(
  all.map((command) => [command.name, command]),
);
