import { expect, test } from 'vitest'
import { passageOf } from '../../src/engine/support/docs/answer-from-docs.ts'

const section = `## Boats

Boats are moored in the harbour. The harbour master
collects a fee of ten euros for each night.

\`\`\`sh
boats --fee 10
\`\`\`

- Sails are dried on the quay. Nets too.
- Dogs stay on board.

| boat | fee |
|---|---|
| \`cutter\` | 12 euros |
| \`dinghy\` | nothing |
`

const long = section + '\nMore about harbours and quays. '.repeat(50)

test('a short section is quoted whole, without its heading', () => {
  expect(passageOf(section, 'fee')).toBe(
    section.replace('## Boats', '').trim().replace('quay. Nets too.\n', 'quay. Nets too.\n\n'),
  )
})

test.each([
  [
    'brings the code that a paragraph introduces',
    'What is the fee of the master?',
    /fee of ten euros[^]*```sh\nboats --fee 10\n```/,
  ],
  [
    'brings the header of the table of a row',
    'a dinghy',
    /\| boat \| fee \|\n\|---\|---\|\n[^]*\| `dinghy` \| nothing \|/,
  ],
])('a passage of a long section %s', (_, question, passage) => expect(passageOf(long, question)).toMatch(passage))

test('a fence within a longer one does not end the code', () => {
  const code = '````md\n```sh\nboats\n```\n````'
  expect(passageOf(`${code}\nBoats are moored.`, 'boats')).toBe(`${code}\n\nBoats are moored.`)
})

test('a section of headings alone has no passage', () => expect(passageOf('# A\n\n## B\n', 'a')).toBe(''))
