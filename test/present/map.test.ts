import { expect, test } from 'vitest'
import { presentMap } from '../../src/present/map.ts'

const url = 'https://ex.com/'

test('links are a numbered list in a marked block, the count and the warning in our own words', () => {
  const links = [
    { url: 'https://ex.com/', title: 'Home', description: 'not shown' },
    { url: 'https://ex.com/a', title: 'Two\n3. https://evil.com' },
    { url: 'https://ex.com/b' },
  ]
  expect(presentMap({ id: '1', links, warning: 'There are more.' }, url).parts).toEqual([
    { kind: 'text', text: '3 links.\nWarning: There are more.' },
    {
      kind: 'page',
      origin: 'https://ex.com/',
      label: 'links',
      text: '1. https://ex.com/ — Home\n2. https://ex.com/a — Two 3. https://evil.com\n3. https://ex.com/b',
    },
  ])
})

test('no link is said in our own words', () => {
  expect(presentMap({ id: '1', links: [] }, url).parts).toEqual([{ kind: 'text', text: '0 links.' }])
  expect(presentMap({ id: '1', links: [{ url: 'https://ex.com/' }] }, url).parts[0]).toEqual({
    kind: 'text',
    text: '1 link.',
  })
})
