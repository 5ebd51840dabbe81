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

test.each([
  ['What is the fee?', /^The harbour master collects a fee of ten euros for each night\. Sails/],
  ['Where do I dry sails?', /^Sails are dried on the quay\. Nets too\. Dogs stay on board\.$/],
  ['a dinghy', /^dinghy · nothing\.$/],
  ['photographs', /^Boats are moored/],
])('%s is answered by whole sentences of the section', (question, passage) => {
  expect(passageOf(section, question)).toMatch(passage)
})

test('code is no sentence, and a section of nothing else has none', () => {
  expect(passageOf('# A\n\n```sh\nboats --fee 10\n```\n', 'boats')).toBe('')
})
