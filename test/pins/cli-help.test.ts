// The help texts as they are printed. A changed word is a changed interface: scripts and guides quote them.
import { describe, expect, it } from 'vitest';
import { loadCommands } from '../../src/cli/commands.ts';
import { commandHelp, overviewHelp } from '../../src/cli/help.ts';

const overview = `intentplane: a gate between an agent and its tools

Commands:
  demo                a scripted agent obeys a "we changed banks" mail behind the proxy; prints what came of it
  demo-server         a bank-and-mail MCP server over stdio, for demos and tests
  mcp run             serve the configured MCP servers over stdio, guarded
  mcp pins            compare the recorded tool definitions with what the servers announce, or accept a change
  passcode            hash a passcode for the approval page
  mandate resume      lift the suspension of the session mandate (after three rejected requests)
  approvals list      list the requests that wait for a person
  approvals show      show one request: its values, where they come from, and what was done before
  approvals stats     how often people were asked and how they answered, and what was approved again and again
  people list         list the people who may answer requests
  people add          add a person and print the code that they enrol with
  people code         print a one-time code with which a person enrols a passkey or a passcode
  people reset        take away passkeys and sessions of a person and print a new code
  people remove       remove a person who was added by command
  operations list     list the operations whose outcome is unknown
  operations resolve  say what became of an operation whose outcome is unknown
  budgets list        list the budgets of the store as they count now
  budgets unfreeze    let a budget be charged again after a target took more than was reserved
  receipts show       list the receipts of a configuration
  receipts export     write receipts with their proofs, or what they are checked with
  receipts redact     erase the values behind the receipts of one operation; every proof stays valid
  receipts expire     erase the values behind receipts that were kept long enough
  receipts witness    cosign the checkpoints of other gateways, so that none can show two histories
  receipts restart    begin the log anew under another name after a restored backup; stops everything
  keys list           list the keys of the log, the retired and distrusted ones too
  keys rotate         replace the key that signs the log; gateways go on meanwhile
  keys distrust       declare that an earlier key of the log leaked: later trees under it do not count
  fsck                check the whole store: log, signed checkpoints, operations, budgets
  store migrate       make or update the tables of a PostgreSQL store
  store check         check the store of a configuration: connection, settings, tables, root of the log
  store backup        copy a SQLite store into one new file, also beside running gateways
  verify              check a receipt bundle offline, or a 0.5.x receipt file

intentplane <command> --help says more. Every command that prints data takes --json.`;

const commands: Readonly<Record<string, string>> = {
  demo: `intentplane demo

a scripted agent obeys a "we changed banks" mail behind the proxy; prints what came of it

Options:
  --json   print one JSON object
  --debug  print stack traces

Example:
  intentplane demo`,
  'demo-server': `intentplane demo-server [--effects FILE]

a bank-and-mail MCP server over stdio, for demos and tests

Options:
  --effects  append each executed effect to this file as one JSON line
  --json     print one JSON object
  --debug    print stack traces

Example:
  intentplane demo-server --effects ./effects.jsonl`,
  'mcp run': `intentplane mcp run --config FILE [--lenient]

serve the configured MCP servers over stdio, guarded

Options:
  --config   the TOML file
  --lenient  unknown keys of the file are warnings (never inside [tools.params])
  --json     print one JSON object
  --debug    print stack traces

Example:
  intentplane-mcp --config ./intentplane.toml`,
  'mcp pins': `intentplane mcp pins [list | diff | accept] --config FILE [--tool SERVER.TOOL]

compare the recorded tool definitions with what the servers announce, or accept a change

Options:
  --config  the TOML file
  --tool    only this tool; accept without it accepts every change
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane mcp pins diff --config ./intentplane.toml`,
  passcode: `intentplane passcode

hash a passcode for the approval page

Options:
  --json   print one JSON object
  --debug  print stack traces

Example:
  intentplane passcode   # asks, then prints the line for [approvals]`,
  'mandate resume': `intentplane mandate resume --config FILE

lift the suspension of the session mandate (after three rejected requests)

Options:
  --config  the TOML file; its passcode is asked for when one is set
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane mandate resume --config ./intentplane.toml`,
  'approvals list': `intentplane approvals list --config FILE

list the requests that wait for a person

Options:
  --config  the TOML file
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane approvals list --config ./intentplane.toml`,
  'approvals show': `intentplane approvals show ID --config FILE

show one request: its values, where they come from, and what was done before

Options:
  --config  the TOML file
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane approvals show 3f6c8a0b5d2e4f719c8b7a6d5e4f3c2b --config ./intentplane.toml`,
  'approvals stats': `intentplane approvals stats --config FILE [--since TIME]

how often people were asked and how they answered, and what was approved again and again

Options:
  --config  the TOML file
  --since   how far back: 30d, 12h or 90m (30d)
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane approvals stats --config ./intentplane.toml --since 7d`,
  'people list': `intentplane people list --config FILE

list the people who may answer requests

Options:
  --config  the TOML file
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane people list --config ./intentplane.toml`,
  'people add': `intentplane people add PERSON --config FILE [--name NAME] [--email ADDRESS] [--roles ROLES] [--by PERSON]

add a person and print the code that they enrol with

Options:
  --config  the TOML file
  --name    name that others see; PERSON when absent
  --email   where notices go
  --roles   roles with commas in between, such as approver,admin
  --by      who does it, asked for their passcode; the owner when absent
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane people add ann --config ./intentplane.toml --roles approver`,
  'people code': `intentplane people code PERSON --config FILE [--by PERSON]

print a one-time code with which a person enrols a passkey or a passcode

Options:
  --config  the TOML file
  --by      who does it, asked for their passcode; the owner when absent
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane people code ann --config ./intentplane.toml`,
  'people reset': `intentplane people reset PERSON --config FILE [--by PERSON]

take away passkeys and sessions of a person and print a new code

Options:
  --config  the TOML file
  --by      who does it, asked for their passcode; the owner when absent
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane people reset ann --config ./intentplane.toml --by bob`,
  'people remove': `intentplane people remove PERSON --config FILE [--by PERSON]

remove a person who was added by command

Options:
  --config  the TOML file
  --by      who does it, asked for their passcode; the owner when absent
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane people remove ann --config ./intentplane.toml`,
  'operations list': `intentplane operations list --config FILE

list the operations whose outcome is unknown

Options:
  --config  the TOML file
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane operations list --config ./intentplane.toml`,
  'operations resolve': `intentplane operations resolve ID --as succeeded|failed --reason TEXT --config FILE

say what became of an operation whose outcome is unknown

Options:
  --as      \`succeeded\`: it happened, its budget is spent; \`failed\`: it certainly did not, its budget is free again
  --reason  where you saw it; stands in the receipt as a commitment
  --config  the TOML file; its passcode is asked for when one is set
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane operations resolve 4f0c… --as succeeded --reason "on the bank statement of 30 November" --config ./intentplane.toml`,
  'budgets list': `intentplane budgets list --config FILE

list the budgets of the store as they count now

Options:
  --config  the TOML file
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane budgets list --config ./intentplane.toml`,
  'budgets unfreeze': `intentplane budgets unfreeze ID --config FILE

let a budget be charged again after a target took more than was reserved

Options:
  --config  the TOML file; its passcode is asked for when one is set
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane budgets unfreeze 4f0c…/amount --config ./intentplane.toml`,
  'receipts show': `intentplane receipts show --config FILE [--op ID] [--last N]

list the receipts of a configuration

Options:
  --config  the TOML file
  --op      only the receipts of this operation or decision
  --last    how many of the newest (50)
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane receipts show --config ./intentplane.toml --last 20`,
  'receipts export': `intentplane receipts export --config FILE (--op ID [--closed | --proof] | --range A B | --jsonl [--after SEQ] | --tiles FOLDER | --checkpoint | --trust) [--previous CHECKPOINT] [--out PATH]

write receipts with their proofs, or what they are checked with

Options:
  --config      the TOML file
  --op          bundles of the receipts of this operation (an answer names its id)
  --closed      disclose no value
  --proof       the proofs alone, as c2sp.org/tlog-proof
  --range       the receipts A to B as JSON lines, with proofs to one checkpoint
  --jsonl       all receipts as JSON lines
  --after       only those after this number
  --tiles       a folder as c2sp.org/tlog-tiles has it; what is there already is kept
  --checkpoint  the signed checkpoint, to keep for --previous
  --trust       the trust file: origin and key of the log
  --previous    show that nothing was changed since this checkpoint (with --op and --range)
  --out         folder of --op, else a file; standard output without it
  --json        print one JSON object
  --debug       print stack traces

Example:
  intentplane receipts export --config ./intentplane.toml --op 0f3a… --out ./receipts`,
  'receipts redact': `intentplane receipts redact --op ID [--field NAME …] --basis CODE --config FILE

erase the values behind the receipts of one operation; every proof stays valid

Options:
  --op      the operation or refused proposal (see \`intentplane receipts show\`)
  --field   only this committed field, may be given several times; everything without it
  --basis   why, as it will stand in the log: gdpr-17, retention, legal-order, mistake
  --config  the TOML file; its passcode is asked for when one is set
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane receipts redact --op 0f3a… --basis gdpr-17 --config ./intentplane.toml`,
  'receipts expire': `intentplane receipts expire --config FILE [--dry-run]

erase the values behind receipts that were kept long enough

Options:
  --config   the TOML file; its \`[[log.retention]]\` says how long
  --dry-run  only count
  --json     print one JSON object
  --debug    print stack traces

Example:
  intentplane receipts expire --config ./intentplane.toml --dry-run`,
  'receipts witness': `intentplane receipts witness --config FILE

cosign the checkpoints of other gateways, so that none can show two histories

Options:
  --config  the TOML file of the witness: name, listen, data, pq, logs
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane receipts witness --config ./witness.toml`,
  'receipts restart': `intentplane receipts restart --config FILE --old-origin NAME --new-origin NAME

begin the log anew under another name after a restored backup; stops everything

Options:
  --config      the TOML file; its passcode is asked for when one is set
  --old-origin  the name of the log as it is: it is never signed again
  --new-origin  a name that was never used for a log
  --json        print one JSON object
  --debug       print stack traces

Example:
  intentplane receipts restart --config ./intentplane.toml --old-origin accounts --new-origin accounts-2`,
  'keys list': `intentplane keys list --config FILE

list the keys of the log, the retired and distrusted ones too

Options:
  --config  the TOML file
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane keys list --config ./intentplane.toml`,
  'keys rotate': `intentplane keys rotate --config FILE

replace the key that signs the log; gateways go on meanwhile

Options:
  --config  the TOML file
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane keys rotate --config ./intentplane.toml`,
  'keys distrust': `intentplane keys distrust --config FILE --after SEQ KEY_ID

declare that an earlier key of the log leaked: later trees under it do not count

Options:
  --config  the TOML file; its passcode is asked for when one is set
  --after   number of the last receipt that the key may still vouch for
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane keys distrust --config ./intentplane.toml --after 1804 5d534cf5`,
  fsck: `intentplane fsck --config FILE [--since CHECKPOINT]

check the whole store: log, signed checkpoints, operations, budgets

Options:
  --config  the TOML file
  --since   only what came after it: the file of a checkpoint, or \`last\` for the newest in the store
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane fsck --config ./intentplane.toml`,
  'store migrate': `intentplane store migrate --config FILE

make or update the tables of a PostgreSQL store

Options:
  --config  the TOML file; gateways of an older version must be stopped
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane store migrate --config ./intentplane.toml`,
  'store check': `intentplane store check --config FILE

check the store of a configuration: connection, settings, tables, root of the log

Options:
  --config  the TOML file
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane store check --config ./intentplane.toml`,
  'store backup': `intentplane store backup DEST --config FILE

copy a SQLite store into one new file, also beside running gateways

Options:
  --config  the TOML file; keep its keys, the guard and the redaction list apart from the copy
  --json    print one JSON object
  --debug   print stack traces

Example:
  intentplane store backup /backup/store-2026-11-30.db --config ./intentplane.toml`,
  verify: `intentplane verify BUNDLE --trust FILE [--previous CHECKPOINT] [--explain] | --legacy FILE

check a receipt bundle offline, or a 0.5.x receipt file

Options:
  --trust     the trust file: whose log is believed (intentplane receipts export --trust)
  --previous  a checkpoint of the log that was kept: nothing may be missing or changed since
  --explain   say what a valid receipt does not prove
  --legacy    check the chain of a 0.5.x receipt file instead
  --json      print one JSON object
  --debug     print stack traces

Example:
  intentplane verify receipt.json --trust trust.txt`,
};

const proxy = `intentplane-mcp --config FILE [--lenient]

serve the configured MCP servers over stdio, guarded

Options:
  --config   the TOML file
  --lenient  unknown keys of the file are warnings (never inside [tools.params])
  --json     print one JSON object
  --debug    print stack traces

Example:
  intentplane-mcp --config ./intentplane.toml`;

describe('help texts', () => {
  it('of the program', async () => {
    expect(overviewHelp('intentplane', await loadCommands())).toBe(overview);
  });

  it('of every command', async () => {
    const all = await loadCommands();
    const texts = all.map((command) => [command.name, commandHelp('intentplane', command)]);
    expect(Object.fromEntries(texts)).toEqual(commands);
  });

  it('of the proxy under its own name', async () => {
    const command = (await loadCommands()).find(({ name }) => name === 'mcp run');
    expect(command && commandHelp('intentplane-mcp', command)).toBe(proxy);
  });
});
