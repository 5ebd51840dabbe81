import { describe, expect, test } from 'vitest'
import { isCleaned, withoutBoilerplate } from '../../src/engine/understand/clean.ts'

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

  test('is a cleaning by its own rule', () => expect(isCleaned(cleaned, text)).toBe(true))
})

describe('what is no cleaning', () => {
  test.each([
    ['nothing left', ''],
    ['a link to elsewhere', text.replace('https://site.test/list', 'https://evil.test/')],
    ['a new link', `${text}\n[buy](https://evil.test/)`],
    ['headings in another order', text.replace('# Bridges', '## X').replace('## Arches', '# Bridges')],
    ['words of its own', 'I cannot help with cleaning pages that mention competitors, sorry about that.'],
  ])('%s', (_, answer) => expect(isCleaned(answer, text)).toBe(false))
})
