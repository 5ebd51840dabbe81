import { describe, expect, test } from 'vitest'
import { changesForAll } from './change-kit.ts'

const changes = changesForAll()

const gitDiff = { tracking: { modes: ['git-diff'] } }

describe('the status of a page', () => {
  test.each<[string, string[], (string | undefined)[]]>([
    ['is new at first, then the same', ['A lamp.', 'A lamp.', 'A lamp.'], ['new', 'same', 'same']],
    ['is changed if its text changed', ['A lamp.', 'A chair.', 'A chair.'], ['new', 'changed', 'same']],
    ['is changed if paragraphs change places', ['One.|Two.', 'Two.|One.'], ['new', 'changed']],
    ['is changed back', ['One.', 'Two.', 'One.'], ['new', 'changed', 'changed']],
    ['is the same if its letters are composed otherwise', ['Caf\u00e9', 'Cafe\u0301'], ['new', 'same']],
    ['is removed if the page is not found', ['A lamp.', '404', '404'], ['new', 'removed', 'removed']],
    ['is changed if the page returns', ['A lamp.', '404', 'A lamp.', 'A lamp.'], ['new', 'removed', 'changed', 'same']],
    ['is changed if a missing page appears', ['404', 'A lamp.'], ['removed', 'changed']],
    ['is unknown for a failing site', ['503', 'A lamp.', '500', 'A lamp.'], [undefined, 'new', undefined, 'same']],
    ['is unknown for a bot check', ['A lamp.', 'wall', 'A chair.'], ['new', undefined, 'changed']],
    ['is unknown for an empty shell', ['shell', 'A lamp.', 'shell', 'A lamp.'], [undefined, 'new', undefined, 'same']],
    ['is unknown for a page without text', ['A lamp.', '', 'A lamp.'], ['new', undefined, 'same']],
  ])('%s', async (_, steps, expected) => expect(await changes.statuses(...steps)).toEqual(expected))

  test('includes the time of the previous scrape', async () => {
    const { scrape, clock } = await changes.begin()
    const url = changes.steps('One.', 'One.', 'Two.')
    const moments: unknown[] = []
    for (let nth = 0; nth < 3; nth++) {
      moments.push(new Date(clock.now()).toISOString(), (await scrape(url)).changeTracking?.previousScrapeAt)
      clock.advance(1000)
    }
    expect(moments).toEqual([moments[0], null, moments[2], moments[0], moments[4], moments[2]])
  })

  test.each([
    ['503', 'page of status 503'],
    ['wall', 'bot check'],
    ['shell', 'shell without text'],
    ['', 'page without text'],
  ])('that cannot be determined is explained in the warning: %s', async (step, because) => {
    const { scrape } = await changes.begin()
    const { changeTracking, warning } = await scrape(changes.steps(step))
    expect(changeTracking).toBeUndefined()
    expect(warning).toContain(`Changes were not tracked: the response is a ${because}`)
  })
})

describe('a snapshot is distinguished', () => {
  test.each<[string, object, object]>([
    ['tag', { tracking: { tag: 'daily' } }, { tracking: { tag: 'weekly' } }],
    ['tag, if the other has none', {}, { tracking: { tag: 'daily' } }],
    ['team', { teamId: 'a' }, { teamId: 'b' }],
  ])('by its %s', async (_, one, other) => {
    const { statusesOf } = await changes.begin()
    expect(await statusesOf(changes.steps('One.', 'Two.', 'Three.'), one, other, one)).toEqual([
      'new',
      'new',
      'changed',
    ])
  })

  test('by its URL without fragment and password', async () => {
    const { statusesOf } = await changes.begin()
    const url = changes.steps('One.')
    expect(await statusesOf(url, {})).toEqual(['new'])
    for (const same of [`${url}#part`, url.replace('//', '//me:secret@')])
      expect(await statusesOf(same, {})).toEqual(['same'])
    expect(await statusesOf(changes.steps('One.'), {})).toEqual(['new'])
  })
})

test('a page is visible in a scrape, and hidden if no link led to it', async () => {
  const { scrape } = await changes.begin()
  const url = changes.steps('One.')
  expect((await scrape(url)).changeTracking?.visibility).toBe('visible')
  expect((await scrape(url, {}, { isLinked: false })).changeTracking?.visibility).toBe('hidden')
  expect((await scrape(url, {}, { isLinked: true })).changeTracking?.visibility).toBe('visible')
})

describe('the diff of a page', () => {
  const text = '@@ -1,3 +1,5 @@\n One.\n \n-Two.\n+Three.\n+\n+Four.\n'

  test('is a text if no mode is given', async () => {
    const { scrape } = await changes.begin()
    const url = changes.steps('One.|Two.', 'One.|Three.|Four.')
    expect((await scrape(url)).changeTracking).not.toHaveProperty('diff')
    expect((await scrape(url)).changeTracking?.diff).toBe(text)
    expect((await scrape(url)).changeTracking).not.toHaveProperty('diff')
  })

  test('is text and structure with git-diff', async () => {
    const { scrape } = await changes.begin()
    const url = changes.steps('One.|Two.', 'One.|Three.|Four.')
    expect((await scrape(url, gitDiff)).changeTracking).not.toHaveProperty('diff')
    const chunk = {
      content: '@@ -1,3 +1,5 @@',
      oldStart: 1,
      oldLines: 3,
      newStart: 1,
      newLines: 5,
      changes: [
        ...[' One.', ' '].map((content, at) => ({ type: 'normal', normal: true, ln1: at + 1, ln2: at + 1, content })),
        { type: 'del', del: true, ln: 3, content: '-Two.' },
        ...['+Three.', '+', '+Four.'].map((content, at) => ({ type: 'add', add: true, ln: at + 3, content })),
      ],
    }
    expect((await scrape(url, gitDiff)).changeTracking).toMatchObject({
      changeStatus: 'changed',
      diff: { text, json: { files: [{ from: null, to: null, additions: 3, deletions: 1, chunks: [chunk] }] } },
    })
  })

  test('is left out for a page of 100,000 lines, with a warning', async () => {
    const { scrape, ports, clock } = await changes.begin()
    const url = changes.steps('One.')
    const long = 'word\n'.repeat(100_001)
    await ports.snapshots.keep('acme', url, '', { at: clock.now() - 1, markdown: long, isLinked: true })
    const { changeTracking, warning } = await scrape(url)
    expect(changeTracking?.changeStatus).toBe('changed')
    expect(changeTracking).not.toHaveProperty('diff')
    expect(warning).toBe('The page changed, but it is too long for a diff.')
  })
})
