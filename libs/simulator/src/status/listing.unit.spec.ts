import { XmlError } from '@systole/cib';
import { expect, it } from 'vitest';
import { Listing } from './listing.js';

it('refuses to get longer than a text can be', () => {
  const listing = new Listing(20);
  listing.list('Title', () => {
    listing.item('item');
  });
  expect(listing.text()).toBe('Title:\n  * item\n');
  expect(() => {
    listing.item('five more');
  }).toThrow(new XmlError('too-large', 'what is to be written is longer than 20 characters'));
});
