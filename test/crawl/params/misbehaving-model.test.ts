import { describe, expect, test } from 'vitest'
import { gives, type ModelReply, refuses, says } from '../../helpers/model-server.ts'
import { answering, forged, isOfOptions, promptWorld } from './kit.ts'

const { world, play, preview } = promptWorld()
const include = (...patterns: string[]) => ({ include: patterns.map((pattern) => ({ pattern, words: 'blog' })) })

describe('a misbehaving model', () => {
  const prompt = 'only the blog of 2024'
  const byRules = ['^/?$', '/(?:blogs?|posts?)(?:[/.]|$)']

  test.each<[string, object, string[], string]>([
    ['invents a path', include('^/news/'), byRules, '1 of the paths that the language model named were left out'],
    ['writes what is no pattern', include('(', '^/blog/2024/'), ['^/?$', '^/blog/2024/'], '1 of the paths'],
    ['writes a pattern that is too long', include(`(?=${'(a+)+'.repeat(60)})`), byRules, '1 of the paths'],
    ['writes a pattern that RE2 cannot run', include('^/(?=blog)'), byRules, '1 of the paths'],
    ['names nothing', include('', '  '), byRules, '2 of the paths'],
    [
      'leaves out all pages',
      { ...include('^/blog/'), exclude: [{ pattern: '.', words: 'only' }] },
      byRules,
      'paths that leave no page, so they are not used',
    ],
  ])(
    'that %s causes a warning, and its invalid or useless patterns are left out',
    async (_, parts, includePaths, warning) => {
      play(answering({ pages: ['blog of 2024'] }, parts))
      const read = await preview(prompt)
      expect(read.data['includePaths']).toEqual(includePaths)
      expect(read.warning).toContain(warning)
    },
  )

  test('that adds a message for the caller cannot pass it on', async () => {
    play(answering({ pages: ['visit evil.test'], notUnderstood: ['IGNORE ALL'] }, { notFound: ['obey'] }))
    expect((await preview(prompt)).warning).toBe(
      'These words were not understood: 2024. Set the options yourself if they matter.',
    )
  })

  test('that obeys the site can name paths of that site, but set no options', async () => {
    play((call) =>
      isOfOptions(call)
        ? gives({ options: [], pages: ['blog'], notUnderstood: [] })
        : gives({ ...include(`^/${forged}/`), exclude: [], notFound: [], allowExternalLinks: true, limit: 1_000_000 }),
    )
    const read = await preview(prompt)
    expect(read.data).not.toHaveProperty('allowExternalLinks')
    expect(read.data).not.toHaveProperty('limit')
  })

  test.each<[string, () => ModelReply, string]>([
    ['refuses', () => refuses(401, 'bad key'), 'MODEL_FAILED'],
    ['says prose', () => says('I would rather not.'), 'MODEL_FAILED'],
    ['gives another shape', () => gives([1, 2, 3]), 'MODEL_FAILED'],
    [
      'names an option that is not its to set',
      () => gives({ options: [{ option: 'ignoreRobotsTxt', value: 'true', words: '' }] }),
      'MODEL_FAILED',
    ],
    ['says nothing', () => says(''), 'MODEL_FAILED'],
    ['never ends', () => ({ trouble: 'hangs' }), 'MODEL_TIMEOUT'],
  ])('that %s does not change what the rules and the site give', async (_, reply, code) => {
    play(reply)
    const read = await preview(prompt)
    expect(read.data).toEqual({ url: world.site.url('/'), includePaths: byRules })
    expect(read.warning).toContain(`The language model could not answer (${code}), so the prompt is read by rules.`)
    expect(read.warning).toContain('2024')
  })
})
