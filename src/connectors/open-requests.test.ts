import { describe, expect, it } from 'vitest';
import { OpenRequests } from './open-requests.ts';

describe('OpenRequests', () => {
  it('finds, lists and removes by id, wherever it stands', () => {
    const open = new OpenRequests<string | number, string>();
    for (const id of [1, '1', 2, 3]) open.add(id, `item ${typeof id} ${id}`);
    expect(open.get('1')).toBe('item string 1');
    expect(open.get(9)).toBeUndefined();
    expect(open.has(3)).toBe(true);
    open.remove(1);
    open.remove(9);
    expect(open.has(1)).toBe(false);
    expect([...open.items()].sort()).toEqual(['item number 2', 'item number 3', 'item string 1']);
    expect(open.onlyId()).toBeUndefined();
    open.remove('1');
    open.remove(3);
    expect(open.onlyId()).toBe(2);
    open.remove(2);
    expect(open.size).toBe(0);
    expect(open.onlyId()).toBeUndefined();
  });
});
