import { expect } from 'vitest'
import { shownIn, test } from './fixture.ts'

test('the page reconnects when its socket breaks', async ({ stand }) => {
  const { page, press, seen, faults } = await shownIn(stand, '/live/desk')
  stand.server.refuse(true)
  for (const socket of stand.server.sockets) socket.terminate()
  await expect.poll(() => page.locator('#banner').textContent()).toContain('Connection lost')
  stand.server.refuse(false)
  await expect.poll(() => page.locator('#banner').textContent()).toBe('')
  await press(100, 120)
  await expect.poll(seen).toEqual(['click 1'])
  // The browser logs an error for each refused socket.
  expect(faults.filter((each) => !each.includes('WebSocket'))).toEqual([])
})

test('the page stops reconnecting when the session no longer exists', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/second')
  await page.route('**/live/control', (route) => route.fulfill({ status: 410, body: '' }))
  stand.server.refuse(true)
  for (const socket of stand.server.sockets) socket.terminate()
  await expect.poll(() => page.locator('#why').textContent()).toContain('This live view has ended.')
  stand.server.refuse(false)
})

test('the page runs only its own script and style', async ({ stand }) => {
  const { page, faults } = await shownIn(stand, '/live/second')
  expect(faults).toEqual([])
  const broken = await page.evaluate(() => {
    const refused: string[] = []
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective))
    const script = document.createElement('script')
    script.textContent = 'window.ran = true'
    document.body.append(script)
    const picture = new Image()
    picture.src = 'http://127.0.0.1:9/x.png'
    return new Promise<{ refused: string[]; ran: boolean }>((resolve) =>
      setTimeout(() => resolve({ refused, ran: 'ran' in window }), 300),
    )
  })
  expect(broken.ran).toBe(false)
  expect(broken.refused.toSorted()).toEqual(['img-src', 'script-src-elem'])
})

const acts: object[] = [
  { type: 'mouse', do: 'down', x: 100, y: 120, button: 'left', clicks: 1 },
  { type: 'mouse', do: 'up', x: 100, y: 120, button: 'left', clicks: 1 },
  { type: 'tap', x: 100, y: 120 },
  { type: 'wheel', x: 100, y: 120, dx: 0, dy: 100 },
  { type: 'key', do: 'down', key: 'a' },
  { type: 'text', text: 'a' },
  { type: 'compose', text: 'a' },
  { type: 'paste', text: 'a' },
  { type: 'copy', how: 'copy' },
  { type: 'open', address: 'http://127.0.0.1:1/' },
  { type: 'go', where: 'reload' },
  { type: 'newTab' },
  { type: 'fit', size: { width: 390, height: 700 } },
  { type: 'dialog', accept: true },
  { type: 'choose', value: 1 },
  { type: 'files', files: [] },
  { type: 'takeOver' },
  { type: 'extend' },
  { type: 'endSession' },
  { type: 'answer', request: 1, as: 'done' },
]

test('all input of a read-only viewer is ignored', async ({ stand }) => {
  const { page, shown, press, seen } = await shownIn(stand, '/live/desk', 'view')
  await shown.value('field.focus(); window.isOld = true; getSelection().selectAllChildren(says); 1')
  const activity = stand.counts.activity
  await press(100, 120)
  await page.keyboard.type('no')
  const { say, messages, socket } = await stand.raw('view')
  for (const each of acts) say(each)
  say({ type: 'closeTab', tab: stand.current() })
  socket.send(Buffer.from('bytes'))
  say({ type: 'ping' })
  await expect.poll(() => messages.map(({ type }) => type)).toContain('pong')
  expect(messages.filter(({ type }) => type === 'readOnly')).toHaveLength(1)
  expect(messages.map(({ type }) => type)).not.toContain('copied')
  expect(await seen()).toEqual([])
  expect(await shown.value('[field.value, isOld, scrollY, innerWidth].join()')).toBe(',true,0,1280')
  expect(stand.counts.activity).toBe(activity)
  expect([stand.people.hold.holder(), stand.life.calls]).toEqual([undefined, []])
  expect(await page.getByRole('tab').count()).toBe(1)
  for (const name of ['New tab', 'Take over', '+10 min', 'End'])
    expect(await page.getByRole('button', { name }).isVisible()).toBe(false)
  expect(await page.locator('#left').isVisible()).toBe(true)
  expect(await page.locator('#address').isEditable()).toBe(false)
  socket.close()
})

const wrong = [
  'no JSON',
  '[]',
  'null',
  '{"type":"nothing"}',
  '{"type":"mouse","do":"down","x":"1","y":2}',
  '{"type":"mouse","do":"down","x":1e999,"y":2}',
  '{"type":"key","do":"down","key":""}',
  '{"type":"watch","tab":"no such tab"}',
  '{"type":"closeTab","tab":"no such tab"}',
  '{"type":"choose","value":5}',
  '{"type":"files","files":[{"name":"a","size":-1}]}',
  '{"type":"open","address":"javascript:1"}',
]
test('the live view ignores invalid messages', async ({ stand }) => {
  await stand.open('/live/second')
  const { socket, messages, say } = await stand.raw('control')
  for (const text of wrong) {
    const before = messages.length
    socket.send(text)
    socket.send(Buffer.from(text))
    say({ type: 'ping' })
    await expect.poll(() => messages.slice(before).map(({ type }) => type), { message: text }).toContain('pong')
  }
  socket.close()
})

test('a viewer that floods the session is disconnected', async ({ stand }) => {
  await stand.open('/live/second')
  const { socket, say, closed } = await stand.raw('control')
  for (let count = 0; count < 2000; count++) say({ type: 'ping' })
  expect((await closed)[0]).toBe(1008)
  expect(socket.readyState).toBe(socket.CLOSED)
})

test('frames are sent only as fast as the viewer acknowledges them', async ({ stand }) => {
  await stand.open('/live/moving')
  const { socket, messages, say } = await stand.raw('view')
  let frames = 0
  socket.on('message', (_, isBinary) => (frames += isBinary ? 1 : 0))
  await expect.poll(() => frames).toBe(2)
  // Three events of the browser, without a frame in between.
  for (const count of [1, 2, 3]) {
    say({ type: 'ping' })
    await expect.poll(() => messages.filter(({ type }) => type === 'pong').length).toBe(count)
  }
  expect(frames).toBe(2)
  say({ type: 'ack', n: 1000 })
  await expect.poll(() => frames).toBeGreaterThan(2)
  socket.close()
})

test('the final state of a page is shown, however fast it changed before', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/counting')
  const middle = () =>
    page.evaluate(() => {
      const canvas = document.querySelector('canvas')!
      const [red, green] = canvas.getContext('2d')!.getImageData(canvas.width / 2, canvas.height - 50, 1, 1).data
      return green! > 120 && red! < 60
    })
  await expect.poll(middle).toBe(true)
})

test('the twenty-first viewer is refused', async ({ stand }) => {
  await stand.open('/live/second')
  const viewers = await Promise.all(Array.from({ length: 20 }, () => stand.raw('view')))
  const late = await stand.raw('view')
  expect((await late.closed)[0]).toBe(1013)
  for (const { socket } of viewers) socket.close()
  await Promise.all(viewers.map(({ closed }) => closed))
})

test('frames are captured only when the page changes and is watched', async ({ stand }) => {
  const { page, shown } = await shownIn(stand, '/live/moving')
  const drawn =
    'new Promise((done) => { let left = 30; const next = () => --left ? requestAnimationFrame(next) : done(); next() })'
  /** Returns the number of frames captured while the page drew thirty. */
  const frames = async () => {
    const before = stand.counts.changes
    await shown.value(drawn)
    return stand.counts.changes - before
  }
  await expect.poll(frames).toBeGreaterThan(2)
  await shown.value("document.querySelector('.box').style.animation = 'none'; 1")
  await expect.poll(frames).toBe(0)
  await shown.value("document.querySelector('.box').style.animation = ''; 1")
  await expect.poll(frames).toBeGreaterThan(2)
  await page.close()
  await expect.poll(frames).toBe(0)

  const { say, socket } = await stand.raw('view')
  socket.on('message', (_, isBinary) => {
    if (isBinary) say({ type: 'ack', n: 1e9 })
  })
  await expect.poll(frames).toBeGreaterThan(2)
  say({ type: 'look', on: false })
  await expect.poll(frames).toBe(0)
  say({ type: 'look', on: true })
  await expect.poll(frames).toBeGreaterThan(2)
  socket.close()
})

// Must be the last test, because the live view has ended after it.
test('the end of a session is shown with its reason, and disconnects', async ({ stand }) => {
  const { page } = await shownIn(stand, '/live/second')
  const raw = await stand.raw('view')
  stand.live.end('activityTtl')
  await expect.poll(() => page.locator('#why').textContent()).toBe('It was not used for a while.')
  expect(raw.messages.at(-1)).toEqual({ type: 'end', why: 'activityTtl' })
  expect((await raw.closed)[0]).toBe(1000)
  const late = await stand.raw('control')
  expect((await late.closed)[0]).toBe(1000)
})
