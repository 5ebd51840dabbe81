import { afterAll, describe, expect, test } from 'vitest'
import { createConverterPool } from '../../src/engine/document/converter-pool.ts'
import { officeBombs } from './bombs-of-office.ts'
import { pdfBombs } from './bombs-of-pdf.ts'
import { drawn } from './hostile.ts'

/** Each bomb costs seconds of a core, so an ordinary run draws a third of them. */
const bombs = drawn([...officeBombs, ...pdfBombs], 3)

const children = createConverterPool()
afterAll(() => children.close())

async function outcomeOf({ kind, make }: (typeof bombs)[number]) {
  const source = {
    bytes: make(),
    url: 'https://a.example/file',
    contentType: undefined,
    pdf: { mode: 'auto' },
  } as const
  try {
    const converted = await children.convert({ kind, source, teamId: 'team' }, new AbortController().signal)
    return { text: 'html' in converted ? converted.html : converted.markdown, warning: converted.warning ?? '' }
  } catch (thrown) {
    return { code: (thrown as { code?: string }).code }
  }
}

/** Bombs for which the answer must warn that the file was read in part. */
const isReadInPart = /named 50,000|short paragraphs|forms in forms|character map/

/** The child process enforces the budget: beyond it, the file is refused or only its first pages are read. */
describe('a small file that is expensive to convert', () => {
  const named = bombs.map((bomb): [string, (typeof bombs)[number]] => [`${bomb.kind}: ${bomb.name}`, bomb])

  test.each(named)('is read, cut or refused within its budget: %s', async (name, bomb) => {
    const { text, code, warning } = await outcomeOf(bomb)
    if (bomb.begins === undefined) expect([undefined, 'SCRAPE_UNSUPPORTED_FILE_ERROR']).toContain(code)
    else expect(text).toContain(bomb.begins)
    if (isReadInPart.test(name)) expect(warning).toMatch(/^Only the (?:beginning|first)/)
  })
})
