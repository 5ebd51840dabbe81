import { expect, test } from 'vitest'
import { presentMap } from '../../src/operations/map.ts'

const url = 'https://ex.com/'

test('links are a list in a marked block, the count and the warning in text of Gossamer', () => {
  const links = [
    { url: 'https://ex.com/', title: 'Home', description: 'not shown' },
    { url: 'https://ex.com/a', title: 'Two\nhttps://evil.com' },
    { url: 'https://ex.com/b' },
  ]
  expect(presentMap({ id: '1', links, warning: 'There are more.' }, url).parts).toEqual([
    { kind: 'text', text: '3 links.\nWarning: There are more.' },
    {
      kind: 'page',
      origin: 'https://ex.com/',
      label: 'links',
      text: 'Below https://ex.com\n/ — Home\n/a — Two https://evil.com\n/b',
    },
  ])
})

test('no link appears in text of Gossamer', () => {
  expect(presentMap({ id: '1', links: [] }, url).parts).toEqual([{ kind: 'text', text: '0 links.' }])
  expect(presentMap({ id: '1', links: [{ url: 'https://ex.com/' }] }, url).parts[0]).toEqual({
    kind: 'text',
    text: '1 link.',
  })
})
