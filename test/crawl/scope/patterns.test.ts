import { describe, expect, test } from 'vitest'
import { type ScopeRules } from '../../../src/engine/crawl/scope/crawl-scope.ts'
import { checkPatterns } from '../../../src/engine/crawl/scope/path-patterns.ts'
import { outcomeOf, scoped } from './scoped.ts'

const judged = async (rules: Partial<ScopeRules>, path: string) =>
  outcomeOf((await scoped(rules)).judge(`https://example.com${path}`, 1, 'link'))

test.each<[Partial<ScopeRules>, string, string]>([
  [{ excludePaths: ['blog'] }, '/my-blog/x', 'excluded'],
  [{ excludePaths: ['/Blog'] }, '/blog/x', 'page'],
  [{ excludePaths: ['(?i)/Blog'] }, '/blog/x', 'excluded'],
  [{ excludePaths: ['a', 'b$'] }, '/x/b', 'excluded'],
  [{ excludePaths: ['x=1'] }, '/x?x=1', 'page'],
  [{ excludePaths: ['#'] }, '/x#part', 'page'],
  [{ includePaths: ['^/blog/'] }, '/blog/x', 'page'],
  [{ includePaths: ['^/blog/'] }, '/docs/x', 'notIncluded'],
  [{ includePaths: ['^/blog/.*'] }, '/blog', 'notIncluded'],
  [{ includePaths: ['^/blog'], excludePaths: ['draft'] }, '/blog/draft', 'excluded'],
  [{ includePaths: ['^/blog'], excludePaths: ['draft'] }, '/blog/x', 'page'],
  [{ includePaths: ['/über'] }, '/über/x', 'page'],
  [{ includePaths: ['/über'] }, '/%c3%bcber/x', 'page'],
  [{ excludePaths: ['a b'] }, '/a%20b', 'excluded'],
  [{ excludePaths: ['100%'] }, '/100%', 'excluded'],
  [{ regexOnFullURL: true, excludePaths: ['x=1'] }, '/x?x=1', 'excluded'],
  [{ regexOnFullURL: true, excludePaths: ['^https://example\\.com/x$'] }, '/x#part', 'excluded'],
  [{ regexOnFullURL: true, excludePaths: ['^/x'] }, '/x', 'page'],
  [{ regexOnFullURL: true, includePaths: ['q=müll'] }, '/x?q=m%C3%BCll', 'page'],
  [{ regexOnFullURL: true, includePaths: ['page=\\d+$'] }, '/x', 'notIncluded'],
  [{ includePaths: ['https://example.com/blog'] }, '/blog/x', 'page'],
  [{ includePaths: ['https://example.com/blog', '^/docs'] }, '/docs/x', 'page'],
  [{ includePaths: ['^https?://example\\.com/blog/'] }, '/docs/x', 'notIncluded'],
  // Patterns in JavaScript notation that RE2 evaluates without JavaScript.
  [{ excludePaths: ['\\u0062log'] }, '/blog', 'excluded'],
  [{ excludePaths: ['(?<!my-)blog'] }, '/my-blog', 'page'],
])('pattern %j on %s: %s', async (rules, path, expected) => {
  const { judge, warnings } = await scoped(rules)
  expect(outcomeOf(judge(`https://example.com${path}`, 1, 'link'))).toBe(expected)
  expect(warnings).toEqual([])
})

test.each([
  ['/blog/(?!tag/)', '/blog/x', 'excluded'],
  ['/blog/(?!tag/)', '/blog/tag/x', 'page'],
  ['^/(\\w+)/\\1/', '/a/a/x', 'excluded'],
  ['^/(\\w+)/\\1/', '/a/b/x', 'page'],
  ['(?=.*x)\\p{Script=Greek}', '/αx', 'excluded'],
  ['(?=\\-)\\-x', '/a-x', 'excluded'],
])('pattern %s, which RE2 lacks, on %s: %s, with one warning', async (pattern, path, expected) => {
  const { judge, warnings } = await scoped({ excludePaths: ['^/none$', pattern] })
  for (let times = 0; times < 3; times += 1)
    expect(outcomeOf(judge(`https://example.com${path}`, 1, 'link'))).toBe(expected)
  expect(warnings).toEqual([
    `The pattern "${pattern}" in excludePaths[1] uses features RE2 lacks; it runs under a time limit.`,
  ])
})

describe('hostile patterns', () => {
  const texts = [`${'a'.repeat(30)}!`, `${'a'.repeat(1_900)}!`, `${'a-'.repeat(900)}!`]
  test.each(['(a+)+$', '/(a|a)*$', '(a|aa)+$', '(.*a){12}$', '(a*)*b', '([a-z]+-?)+$', '/(\\w+\\s?)*$'])(
    'run in linear time by RE2: %s',
    async (pattern) => {
      const { judge, warnings } = await scoped({ excludePaths: [pattern] })
      expect(texts.map((text) => outcomeOf(judge(`https://example.com/${text}`, 1, 'link')))).toEqual([
        'page',
        'page',
        'page',
      ])
      expect(warnings).toEqual([])
    },
  )

  test.each(['(?!z)(a+)+$', '^(?=/(a+)+$)', '(?=/)(.*)*\\1z', '(?:a?){1000}a{1000}[bc]'.repeat(4)])(
    'are stopped each time, and given up after three: %s',
    async (pattern) => {
      const { judge, warnings } = await scoped({ includePaths: [pattern] })
      const reasons = Array.from({ length: 50 }, (_, index) =>
        outcomeOf(judge(`https://example.com/${'a'.repeat(1_900)}!${index}`, 1, 'link')),
      )
      expect(new Set(reasons)).toEqual(new Set(['notIncluded']))
      expect(warnings.filter((text) => text.includes('takes too long'))).toHaveLength(1)
      expect(outcomeOf(judge('https://example.com/a', 1, 'link'))).toBe('notIncluded')
    },
  )

  test('are not given up for one slow text that occurs repeatedly', async () => {
    const { judge, warnings } = await scoped({ excludePaths: ['(?!z)(a+)+$'] })
    for (let times = 0; times < 5; times += 1) judge(`https://example.com/${'a'.repeat(60)}!`, 1, 'link')
    expect(warnings.filter((text) => text.includes('takes too long'))).toEqual([])
    expect(outcomeOf(judge('https://example.com/aaa', 1, 'link'))).toBe('excluded')
  })
})

test.each([
  ['[', 'Unterminated character class', 1],
  ['/blog/[a-z', 'Unterminated character class', 7],
  ['(a)(b', 'Unterminated group', 4],
  ['(a(b)', 'Unterminated group', 1],
  ['(a))', "Unmatched ')'", 4],
  ['*.pdf', 'Nothing to repeat', 1],
  ['a*b|*', 'Nothing to repeat', 5],
  ['/x/**', 'Nothing to repeat', 4],
  ['a{2}b{3,1}', 'numbers out of order in {} quantifier', 6],
  ['x[z-a]', 'Range out of order in character class', 3],
  ['abc\\', '\\ at end of pattern', 4],
  ['a(?!b', 'Unterminated group', 2],
])('%s is refused: %s at character %i', async (pattern, reason, place) => {
  const message = `The pattern "${pattern}" in excludePaths[1] is not a valid regular expression: ${reason}, at character ${place}.`
  const details = [{ path: ['excludePaths', 1], message, code: 'invalid_pattern' }]
  const fields = { includePaths: ['^/a'], excludePaths: ['^/b', pattern] }
  await expect(checkPatterns(fields)).rejects.toMatchObject({ code: 'BAD_REQUEST', message, details })
  await expect(scoped(fields)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('a start address that no pattern includes is read, and marked as unwanted', async () => {
  const { judge, isUnwanted } = await scoped({ bases: ['https://example.com/docs/'], includePaths: ['^/blog'] })
  expect(outcomeOf(judge('https://example.com/docs/', 0, 'start'))).toBe('page')
  expect(isUnwanted('https://example.com/docs/')).toBe(true)
  expect(isUnwanted('https://example.com/blog/')).toBe(false)
  expect(await judged({ excludePaths: [''] }, '/x')).toBe('excluded')
})
