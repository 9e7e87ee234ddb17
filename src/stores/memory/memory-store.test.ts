import { testStore } from '../../testing/store-conformance.ts';
import { createMemoryStore } from './memory-store.ts';

testStore('memory store', () => ({
  isDurable: false,
  open: createMemoryStore,
  remove: () => {},
}));
