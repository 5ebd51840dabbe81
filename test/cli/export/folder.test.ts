import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../../src/cli/command.ts'
import { openFolder } from '../../../src/cli/export/outlets.ts'
import { folderForEach } from '../../helpers/for-all.ts'

const dir = folderForEach()

test('one of two crawls that start in one folder at the same moment is refused', async () => {
  const out = join(dir.path, 'site')
  const both = await Promise.allSettled([openFolder(out, 'new', Date.now), openFolder(out, 'new', Date.now)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  expect(refused.reason).toBeInstanceOf(UsageError)
  for (const each of both) if (each.status === 'fulfilled') await each.value.close()
})

test('a crawl that did not start leaves the folder free', async () => {
  const out = join(dir.path, 'site')
  await (await openFolder(out, 'new', Date.now)).close()
  const again = await openFolder(out, 'new', Date.now)
  expect(again.written()).toBe(0)
  await again.close()
})
