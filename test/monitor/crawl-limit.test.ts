import { expect, test } from 'vitest'
import { crawlInputOf } from '../../src/engine/monitor/monitor-settings.ts'
import { CreateMonitor } from '../../src/schema/monitor-schema.ts'

/** Returns the limit of a stored crawl, from its parsed input. */
async function limitOf(crawlOptions: object): Promise<number | undefined> {
  const target = { type: 'crawl', url: 'https://example.com/', crawlOptions }
  const { targets } = CreateMonitor.parse({ schedule: { text: 'hourly' }, targets: [target] })
  const [kept] = targets
  if (kept?.type !== 'crawl') throw new Error('no crawl')
  return (await crawlInputOf(kept)).input.limit
}

test.each([
  ['100 by default', {}, 100],
  ['100 if the prompt contains none', { prompt: 'only the blog' }, 100],
  ['that of the prompt', { prompt: 'at most 2 pages' }, 2],
  ['that of the prompt, even above the default', { prompt: 'up to 250 pages' }, 250],
  ['at most the maximum for callers', { prompt: 'up to 5000 pages' }, 1000],
  ['that of the caller, before that of the prompt', { prompt: 'at most 2 pages', limit: 3 }, 3],
])('the limit of a monitored crawl is %s', async (_, options, limit) => expect(await limitOf(options)).toBe(limit))
