import { describe, expect, it } from 'vitest';
import type { PolicyActionShape } from '../policy-engine.ts';
import { withCedar } from './cedar-instance.ts';
import { schemaJson, schemaText } from './policy-schema.ts';

const pay: PolicyActionShape = {
  action: 'bank.send_money',
  server: 'bank',
  params: [
    { name: 'recipient', type: 'string', optional: false },
    { name: 'amount', type: 'long', optional: false },
    { name: 'urgent', type: 'boolean', optional: true },
  ],
};
const mail: PolicyActionShape = {
  action: 'mail.send',
  server: 'mail',
  params: [
    { name: 'to', type: 'string-set', optional: false },
    { name: 'ids', type: 'long-set', optional: false },
  ],
};

describe('schemaText', () => {
  it('writes what a policy may read of each action', () => {
    expect(schemaText([pay])).toBe(`\
// Generated from the contracts. Every policy is validated against it, strictly.

type Mandate = { id: String, agent?: String, purpose?: String };
type Budget = { left?: Long, calls_left?: Long };

entity Principal { scopes: Set<String> };
entity Resource enum ["bank"];

action "bank.send_money" appliesTo {
  principal: [Principal],
  resource: [Resource],
  context: {
    params: {
      "_rest": String,
      "amount": Long,
      "recipient": String,
      "urgent"?: Bool,
    },
    origin: {
      "_rest": String,
      "amount": String,
      "recipient": String,
      "urgent"?: String,
    },
    approval_level: Long,
    mandate: Mandate,
    budget: Budget,
    now: datetime,
    channel: String,
  },
};
`);
  });

  it('types lists as sets', () => {
    expect(schemaText([mail])).toContain('"ids": Set<Long>,');
    expect(schemaText([mail])).toContain('"to": Set<String>,');
  });

  it('is the same whatever the order of actions and parameters', () => {
    const turned = { ...pay, params: pay.params.toReversed() };
    expect(schemaText([mail, turned])).toBe(schemaText([pay, mail]));
  });

  it('names an action once that two servers share', () => {
    const text = schemaText([pay, { ...pay, server: 'bank-2' }]);
    expect(text.match(/^action /gmu)).toHaveLength(1);
    expect(text).toContain('entity Resource enum ["bank", "bank-2"];');
  });

  it.each([[[]], [[pay, mail]]])('is a schema that Cedar takes', (actions) => {
    expect(withCedar((cedar) => cedar.checkParseSchema(schemaText(actions)))).toEqual({
      type: 'success',
    });
  });

  it('quotes names of any form', () => {
    const name = 'a "b" \\ \n if é';
    const odd = { action: name, server: name, params: [{ ...mail.params[0], name }] };
    const text = schemaText([odd as PolicyActionShape]);
    expect(withCedar((cedar) => cedar.checkParseSchema(text))).toEqual({ type: 'success' });
    expect(text.split('\n').every((line) => line.length < 100)).toBe(true);
  });

  it.each([[[]], [[pay, mail]], [[pay, { ...pay, server: 'bank-2' }]]])(
    'says the same in its JSON form',
    (actions) => {
      const asText = withCedar((cedar) => cedar.schemaToText(schemaJson(actions)));
      expect(asText).toMatchObject({ type: 'success' });
      if (asText.type === 'failure') return;
      // One of the two spells out the namespace of Cedar's own types.
      const resolved = (text: string): string =>
        JSON.stringify(withCedar((cedar) => cedar.schemaToJsonWithResolvedTypes(text))).replaceAll(
          '__cedar::',
          '',
        );
      expect(JSON.parse(resolved(asText.text))).toEqual(JSON.parse(resolved(schemaText(actions))));
      expect(resolved(asText.text)).toContain('"type":"success"');
    },
  );

  it('does not list `_rest` twice when a contract names it', () => {
    const named = { ...pay, params: [{ name: '_rest', type: 'string', optional: false }] } as const;
    expect(schemaText([named]).match(/"_rest"/gu)).toHaveLength(2);
  });
});
