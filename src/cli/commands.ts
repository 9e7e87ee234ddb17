// The table of commands. A command is loaded when it is called: the demo server must not wait for a policy engine.
import type { Command } from './command.ts';

const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  'demo-server': async () => (await import('./commands/demo-server.ts')).demoServerCommand,
  'mcp run': async () => (await import('./commands/mcp-run.ts')).mcpRunCommand,
  'mcp pins': async () => (await import('./commands/mcp-pins.ts')).mcpPinsCommand,
  passcode: async () => (await import('./commands/passcode.ts')).passcodeCommand,
  'mandate resume': async () => (await import('./commands/mandate-resume.ts')).mandateResumeCommand,
  'approvals list': async () => (await import('./commands/approvals-list.ts')).approvalsListCommand,
  'approvals show': async () => (await import('./commands/approvals-show.ts')).approvalsShowCommand,
  'approvals stats': async () =>
    (await import('./commands/approvals-stats.ts')).approvalsStatsCommand,
  'people list': async () => (await import('./commands/people-list.ts')).peopleListCommand,
  'people add': async () => (await import('./commands/people-add.ts')).peopleAddCommand,
  'people code': async () => (await import('./commands/people-code.ts')).peopleCodeCommand,
  'people reset': async () => (await import('./commands/people-reset.ts')).peopleResetCommand,
  'people remove': async () => (await import('./commands/people-remove.ts')).peopleRemoveCommand,
  'operations list': async () =>
    (await import('./commands/operations-list.ts')).operationsListCommand,
  'operations resolve': async () =>
    (await import('./commands/operations-resolve.ts')).operationsResolveCommand,
  'budgets list': async () => (await import('./commands/budgets-list.ts')).budgetsListCommand,
  'budgets unfreeze': async () =>
    (await import('./commands/budgets-unfreeze.ts')).budgetsUnfreezeCommand,
  'receipts show': async () => (await import('./commands/receipts-show.ts')).receiptsShowCommand,
  'receipts export': async () =>
    (await import('./commands/receipts-export.ts')).receiptsExportCommand,
  'receipts redact': async () =>
    (await import('./commands/receipts-redact.ts')).receiptsRedactCommand,
  'receipts expire': async () =>
    (await import('./commands/receipts-expire.ts')).receiptsExpireCommand,
  'receipts witness': async () =>
    (await import('./commands/receipts-witness.ts')).receiptsWitnessCommand,
  'receipts restart': async () =>
    (await import('./commands/receipts-restart.ts')).receiptsRestartCommand,
  'keys list': async () => (await import('./commands/keys-list.ts')).keysListCommand,
  'keys rotate': async () => (await import('./commands/keys-rotate.ts')).keysRotateCommand,
  'keys distrust': async () => (await import('./commands/keys-distrust.ts')).keysDistrustCommand,
  fsck: async () => (await import('./commands/fsck.ts')).fsckCommand,
  'store migrate': async () => (await import('./commands/store-migrate.ts')).storeMigrateCommand,
  'store check': async () => (await import('./commands/store-check.ts')).storeCheckCommand,
  'store backup': async () => (await import('./commands/store-backup.ts')).storeBackupCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
};

/** In the order of the overview. */
export const commandNames: readonly string[] = Object.keys(loaders);

/** Undefined for a name that is no command. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;
}

/** All of them, for the overview and the reference. */
export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}
