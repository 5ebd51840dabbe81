import { describe, expect, test } from 'vitest'
import { says } from '../helpers/model-server.ts'
import { page, service, startPages } from './extract-world.ts'

const about = (title: string, description: string, more = '') =>
  page(`${title} | Acme`, {}, more).replace('<main>', `<meta name="description" content="${description}"><main>`)

const links = ['/', '/about', '/docs/start', '/docs/api', '/same', '/secret', '/gone']
  .map((path) => `<a href="${path}">${path}</a>`)
  .join(' ')

const site = () =>
  startPages({
    '/robots.txt': 'User-agent: *\nDisallow: /secret',
    '/': about('Home', 'Acme makes kettles.', links),
    '/about': about('About [us]', 'Who Acme is.'),
    '/docs/start': page(
      'Start | Acme',
      {},
      '<p>Fill the kettle with water before you switch it on for the first time.</p>',
    ),
    '/docs/api': about('API', 'Kettles can be asked over HTTP.'),
    '/same': about('Same', 'Acme makes kettles.'),
    '/secret': about('Secret', 'Not for you.'),
  })

describe('the llms.txt of a site', () => {
  test('lists its pages by section, each with its own description', async () => {
    const { url, origin } = await site()
    const { job } = await service()
    const state = await job('llmstxt', { url: url('/'), showFullText: true })
    expect(state).toMatchObject({ status: 'completed', creditsUsed: 5 })
    const { llmstxt, llmsfulltxt } = state['data'] as { llmstxt: string; llmsfulltxt: string }
    const [head, pages, docs, ...more] = llmstxt.trim().split('\n\n## ')
    expect(head).toBe('# Home | Acme\n\n> Acme makes kettles.')
    expect(pages?.split('\n')).toEqual([
      'Pages',
      '',
      `- [Home](${origin}/): Acme makes kettles.`,
      `- [About \\[us\\]](${origin}/about): Who Acme is.`,
      expect.stringMatching(/^- \[Same\]\(.*\): Some words about Same/),
    ])
    expect(docs?.split('\n')).toEqual([
      'Docs',
      '',
      expect.stringMatching(/^- \[Start\]\(.*\/docs\/start\): Some words about Start/),
      `- [API](${origin}/docs/api): Kettles can be asked over HTTP.`,
    ])
    expect(more).toEqual([])
    expect(llmsfulltxt).toContain(`URL: ${origin}/docs/start\n\n`)
    expect(llmsfulltxt).toContain('Fill the kettle with water')
    expect(state['warning']).toContain('robots.txt forbids 1 of the pages.')
  })

  test('has descriptions by a language model for pages without their own', async () => {
    const { url } = await site()
    const { job, model } = await service({ model: () => says('How to start a kettle. It is easy.') })
    const state = await job('llmstxt', { url: url('/docs/start') })
    expect((state['data'] as { llmstxt: string }).llmstxt).toContain('/docs/start): How to start a kettle.\n')
    expect(state['data']).not.toHaveProperty('llmsfulltxt')
    expect(model?.calls.length).toBe(1)
  })

  test('is not created for an unreachable site, or with zero retention', async () => {
    const { job, call } = await service()
    expect(await job('llmstxt', { url: 'http://127.0.0.1:1/' })).toMatchObject({
      status: 'failed',
      creditsUsed: 0,
      error: expect.stringMatching(/^MAP_FAILED: /),
    })
    expect(await call('llmstxt', { url: 'http://127.0.0.1:1/', zeroDataRetention: true })).toMatchObject({
      code: 'SCRAPE_ZDR_VIOLATION_ERROR',
    })
  })
})
