import { describe, expect, test } from 'vitest'
import { isMostlyKept, withoutBoilerplate } from '../../src/engine/understand/clean.ts'
import { cleanByModel } from '../../src/engine/model/page/ask-model.ts'

const text = `# Bridges

Home > Blog > Bridges

A bridge carries a road over a river. ![An arch](https://site.test/arch.jpg)

Share this

## Arches

An arch pushes outward. See [the list](https://site.test/list).

\`\`\`sh
subscribe --newsletter # join our newsletter
\`\`\`

We use cookies to improve your visit.

Sign up for our weekly newsletter

## Related articles

- [Tunnels](https://site.test/tunnels)
- [Ferries](https://site.test/ferries)

## Comments

Great read!
`

describe('the built-in cleaning', () => {
  const cleaned = withoutBoilerplate(text)

  test.each(['Home > Blog', 'Share this', 'We use cookies', 'weekly newsletter', 'Tunnels', 'Great read'])(
    'removes %s',
    (gone) => expect(cleaned).not.toContain(gone),
  )

  test.each(['# Bridges', '## Arches', 'carries a road', '![An arch]', '[the list]', 'subscribe --newsletter'])(
    'keeps %s',
    (kept) => expect(cleaned).toContain(kept),
  )
})

const code = ['Share this', '', 'Follow us']
const data = {
  'code with fences in it': ['````md', '```', ...code, '```', ...code, '````'],
  'code and a table in a quotation': [
    '> ```',
    ...code.map((line) => `> ${line}`),
    '> ```',
    '>',
    '> | Share this |',
    '> | --- |',
  ],
  'code in a list': ['- ```js', ...code.map((line) => `  ${line}`), '  ```'],
  'code of two languages': ['~~~', ...code, '```', '~~~', '', '```js', ...code, '```'],
}

describe.each(Object.entries(data))('%s', (_, lines) => {
  const page = `# Bridges\n\n${lines.join('\n')}\n\nA bridge carries a road over a river.`

  test('survives the built-in cleaning', () => expect(withoutBoilerplate(`${page}\n\nShare this`)).toBe(page))

  test('survives a model that drops all', async () =>
    expect((await cleanedOf(`Share this\n\n${lines.join('\n')}\n\nShare this`, [1, 2, 3, 4, 5, 6])).value).toBe(
      lines.join('\n'),
    ))
})

function cleanedOf(page: string, drop: number[]) {
  const model = {
    object: async () => ({ value: { drop }, model: 'm', isPartial: false }),
    text: () => Promise.reject(new Error('The model writes nothing.')),
    parts: ({ page: whole }: { page: string }) => ({ parts: [whole], isPartial: false }),
  }
  return cleanByModel(model, page)
}

describe('a cleaning by a model', () => {
  const page = `${text}\n| Kind | Span |\n| --- | --- |\n| Arch | 30 m |\n\nThe longest one spans two kilometres of water.`
  const cleaned = (drop: number[]) => cleanedOf(page, drop)

  test('removes the blocks that it names, but no code or tables', async () => {
    const all = Array.from({ length: 40 }, (_, at) => at + 1)
    expect((await cleaned([2, 4, 99, -1])).value).toBe(
      page.replace('Home > Blog > Bridges\n\n', '').replace('Share this\n\n', ''),
    )
    expect((await cleaned(all)).value).toBe(
      '```sh\nsubscribe --newsletter # join our newsletter\n```\n\n| Kind | Span |\n| --- | --- |\n| Arch | 30 m |',
    )
  })

  test('is rejected if more than half of the words would be removed', async () => {
    expect(isMostlyKept((await cleaned([2])).value, page)).toBe(true)
    expect(isMostlyKept('```sh\nsubscribe\n```', page)).toBe(false)
  })
})
