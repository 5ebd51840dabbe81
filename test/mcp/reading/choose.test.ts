import { describe, expect, it } from 'vitest'
import type { Part, Presentation } from '../../../src/kernel/operation.ts'
import { choiceOf, defaultLimits } from '../../../src/surfaces/mcp/call-tool.ts'
import { toContent } from '../../../src/surfaces/mcp/content.ts'
import { partOf } from '../../../src/surfaces/mcp/reading/choose.ts'

const markdown = `# Guide\n\n## Install\n\nRun it:\n\n\`\`\`sh\n# as root\nnpm i\n\`\`\`\n\n## Use\n\nAs you like.\n`
const page = (text: string, label: string): Part => ({ kind: 'page', text, origin: 'https://e.com/', label })
const presentation: Presentation = {
  parts: [
    { kind: 'text', text: 'https://e.com/ · status 200' },
    page('a summary', 'summary'),
    page(markdown, 'markdown'),
    page('https://e.com/x', 'links'),
    { kind: 'image', base64: 'aGk=', mimeType: 'image/png' },
    { kind: 'link', uri: 'x://y', name: 'whole', mimeType: 'text/markdown' },
  ],
  readOn: { tool: 'read', arguments: { id: 1 } },
}

async function shown(wanted: { find?: string; section?: string }, maxCharacters = 20_000, offset = 0) {
  const choice = await choiceOf(wanted)
  const part = choice ? partOf(presentation, choice, { maxCharacters, isChosen: false }) : presentation
  const content = toContent(part, { offset, maxCharacters }, defaultLimits, { tool: 'scrape', arguments: wanted })
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n')
}
/** Offsets count the pages before it, as those for reading on do. */
const at = (text: string) => 'a summary'.length + markdown.indexOf(text)

describe('a part of a page', () => {
  it('by section is the whole text below its heading, with pictures but no other formats', async () => {
    expect(await shown({ section: 'install' })).toMatch(
      /^https:\/\/e\.com\/ · status 200\n\n<(untrusted\d+)>\n## Install\n\nRun it:\n\n```sh\n# as root\nnpm i\n```\n<\/\1>\nimage$/,
    )
  })

  it('by find is passages with offset and heading', async () => {
    const text = await shown({ find: 'npm' })
    expect(text).toContain('1 of 1 passages')
    expect(text).toContain(`[${at('```sh')} Guide > Install]\n\`\`\`sh\n# as root\nnpm i\n\`\`\`\n</untrusted`)
    expect(text).not.toContain('As you like')
  })

  it('by an unknown section is the three nearest headings', async () => {
    const text = await shown({ section: 'Instalation' })
    expect(text).toMatch(/No heading "Instalation"\. The nearest, with offset:/)
    expect(text).toContain(`${at('## Install')} Guide > Install`)
    expect(text).not.toContain('npm i')
  })

  it('has offsets that count visible text only', async () => {
    const smuggled = page(`a\u200b\u200b\u200bb\n\n# Here\n\nneedle`, 'markdown')
    const choice = (await choiceOf({ find: 'needle' }))!
    const { parts } = partOf({ parts: [smuggled] }, choice, { maxCharacters: 20_000, isChosen: false })
    expect(parts.at(-1)).toMatchObject({ text: '[12 Here]\nneedle' })
  })
})

const section = (name: string, size: number) => `## ${name}\n\n${'Words and more words.\n\n'.repeat(size)}`

describe('a page that is too long', () => {
  const text = `# Guide\n\n${section('First', 600)}${section('Second', 600)}${section('Third', 5)}`
  const answer = (offset: number, maxCharacters = 20_000, whole = text) => {
    const window = { offset, maxCharacters }
    const content = toContent({ parts: [page(whole, 'markdown')] }, window, defaultLimits, {
      tool: 'read',
      arguments: {},
    })
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  }

  it('is returned from its beginning, cut at a paragraph, with the headings of the rest', () => {
    const beginning = answer(0)
    expect(beginning.length).toBeLessThanOrEqual(20_000)
    expect(beginning.length).toBeGreaterThan(13_000)
    expect(beginning).toMatch(/words\.\n\n\n<\/untrusted\d+>/)
    const [third] = [text.indexOf('## Third')]
    expect(beginning).toContain(`headings of the rest: offset, heading, characters>\n`)
    expect(beginning).toContain(`${third} ## Third (${text.length - third})\n</untrusted`)
    expect(answer(third)).toMatch(/^<untrusted\d+>\n## Third/)
  })
})
