import type { Contestant } from './contestant.ts'

export const mdreamMinimal: Contestant = {
  id: 'mdream',
  name: 'mdream, minimal preset',
  async load() {
    const { htmlToMarkdown } = await import('mdream')
    return (html, url) => htmlToMarkdown(html, { origin: url, minimal: true })
  },
}

export const mdreamPlain: Contestant = {
  id: 'mdream-plain',
  name: 'mdream, whole page',
  async load() {
    const { htmlToMarkdown } = await import('mdream')
    return (html, url) => htmlToMarkdown(html, { origin: url })
  },
}
