import type { Contestant } from './contestant.ts'

export const defuddle: Contestant = {
  id: 'defuddle',
  name: 'defuddle (linkedom)',
  async load() {
    const { Defuddle } = await import('defuddle/node')
    // Otherwise its extractors for some sites would send requests.
    const options = { markdown: true, useAsync: false }
    return async (html, url) => (await Defuddle(html, url, options)).content
  },
}
