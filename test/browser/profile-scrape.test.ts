import { expect, test } from 'vitest'
import { createProfileStore } from '../../src/engine/browser/profile/profile-store.ts'
import { forAll, folderForAll } from '../helpers/for-all.ts'
import { bodyOf, serve } from '../helpers/listen.ts'
import { openRenderer, type Rendering } from './programs/rendering.ts'

const login = `<!doctype html><title>Log in</title><form action="/in" method="post"><input id="name" name="name">
<button id="go">Log in</button></form><p>Please log in to see what is inside.</p>`

const dir = folderForAll()
const profiles = createProfileStore({ dir: dir.path, key: 'a key of the operator', clock: { now: Date.now } })

const site = forAll(() =>
  serve(async (request, answer) => {
    const name = /name=(\w+)/.exec(request.headers.cookie ?? '')?.[1]
    answer.setHeader('content-type', 'text/html')
    if (request.url === '/in') {
      answer.setHeader('set-cookie', `${await bodyOf(request)}; Max-Age=3600`)
      answer.writeHead(303, { location: '/' }).end()
    } else answer.end(name ? `<!doctype html><p>Welcome, ${name}. This is what is inside.</p>` : login)
  }),
)
const browser = forAll(() => openRenderer([site.place], { profiles }))

const text = async (options: Parameters<Rendering['render']>[1]) =>
  Buffer.from((await browser.render(site.origin, options)).body).toString()
const steps = [
  { type: 'click', selector: '#name', all: false },
  { type: 'write', text: 'Ada' },
  { type: 'click', selector: '#go', all: false },
] as const

test('a login by actions is saved in its profile, and does not affect visits without that profile', async () => {
  const profile = { name: 'mine', saveChanges: true }
  expect(await text({ profile })).toContain('Please log in')
  expect(await text({ profile, actions: steps })).toContain('Welcome, Ada')
  expect(await text({ profile: { ...profile, saveChanges: false } })).toContain('Welcome, Ada')
  expect(await text({})).toContain('Please log in')
  expect(await text({ profile, teamId: 'another' })).toContain('Please log in')
})

test('visits with the same key that only read a profile share one browser context', async () => {
  const profile = { name: 'shared', saveChanges: true }
  expect(await text({ profile, actions: steps })).toContain('Welcome, Ada')
  const reading = { profile: { ...profile, saveChanges: false }, reuse: 'reading' }
  const seen = await Promise.all([1, 2, 3].map(() => text(reading)))
  expect(seen.filter((each) => each.includes('Welcome, Ada'))).toHaveLength(3)
  expect(await text({ reuse: 'reading' })).toContain('Please log in')
  expect(await text({ ...reading, profile: { name: 'nobody', saveChanges: false } })).toContain('Please log in')
})
