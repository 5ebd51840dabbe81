import { expect, test } from 'vitest'
import { WebUrl } from '../../src/schema/common-fields.ts'

test.each([
  ['https://example.com', 'https://example.com'],
  ['http://example.com/a?b=c#d', 'http://example.com/a?b=c#d'],
  ['example.com', 'http://example.com'],
  ['example.com:8080/path', 'http://example.com:8080/path'],
  ['example.com:8080', 'http://example.com:8080'],
  ['example.com?next=https://example.org/', 'http://example.com?next=https://example.org/'],
  ['sub.example.co.uk', 'http://sub.example.co.uk'],
  ['bücher.example', 'http://bücher.example'],
  ['example.com.', 'http://example.com.'],
  ['localhost', 'http://localhost'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['192.0.2.1:8080/a', 'http://192.0.2.1:8080/a'],
  ['http://2130706433/', 'http://2130706433/'],
  ['[::1]', 'http://[::1]'],
  ['https://[2001:db8::1]/', 'https://[2001:db8::1]/'],
  ['https://user:password@example.com/', 'https://user:password@example.com/'],
])('%j is read as %s', (sent, expected) => expect(WebUrl.parse(sent)).toBe(expected))

test.each([
  '',
  'example',
  'http://example',
  'http://example.com@intranet/',
  'http://.',
  'http://a..b',
  'http://',
  'https://exa mple.com',
  'http://[::1',
  '[::zz]',
  'ftp://example.com/a',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'mailto:me@example.com',
  'ws://example.com',
  'view-source:https://example.com',
  `https://example.com/${'a'.repeat(16_384)}`,
])('%j is refused', (sent) => expect(WebUrl.safeParse(sent).success).toBe(false))
