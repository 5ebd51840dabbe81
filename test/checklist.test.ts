import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/checklist.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, number, , proof = ''] = /^\| (\d+) \| (.+) \| (.+) \|$/.exec(line) ?? []
    return number === undefined ? [] : [{ number: Number(number), proof }]
  })

test.each(rows)('point $number names existing tests, or says why it has no test', ({ proof }) => {
  const files = [...proof.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file)
  expect(files.filter((file) => !existsSync(file))).toEqual([])
  if (files.length === 0) expect(proof).toMatch(/^(?:measured, )?not (?:tested|proved)/)
})
