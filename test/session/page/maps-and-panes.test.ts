import { afterAll, expect, test } from 'vitest'
import { html } from '../../helpers/site/route.ts'
import { openLive } from './live.ts'

const drawing = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='300' height='1800'/>`
const imageMap = html(`<!doctype html><title>Rooms</title><h1>Rooms</h1><p id="told"></p>
  <img src="${drawing}" usemap="#rooms" alt="Plan" width="300" height="1800" style="padding: 10px">
  <map name="rooms">
    <area shape="rect" coords="10,10,100,100" href="#kitchen" alt="Kitchen">
    <area shape="circle" coords="200,100,40" href="#bath" alt="Bath">
    <area shape="poly" coords="120,1650,180,1650,150,1690" href="#hall" alt="Hall">
  </map>
  <script>onhashchange = () => { told.textContent = 'opened ' + location.hash.slice(1) }</script>`)

/** Draws only the rows in view, like virtual lists do. */
const drawRows = `const draw = () => { const first = Math.floor(pane.scrollTop / 30)
  rows.innerHTML = Array.from({ length: 30 }, (_, at) => '<p style="position: absolute; margin: 0; top: ' +
    (first + at) * 30 + 'px">Row ' + (first + at) + '.</p>').join('') }
  pane.onscroll = draw; draw()`
const paneStyle = `<style>body { margin: 0 } #pane { height: 600px; width: 200px; overflow: auto; position: relative }
  #rows { height: 9000px }</style>`
const pane = '<div id="pane"><div id="rows"></div></div>'
const narrowPane = html(`<!doctype html><title>Rows</title>${paneStyle}${pane}<script>${drawRows}</script>`)
const shadowPane = html(`<!doctype html><title>Rows</title><style>body { margin: 0 }</style><x-app></x-app><script>
  const root = document.querySelector('x-app').attachShadow({ mode: 'open' })
  root.innerHTML = \`${paneStyle.replace('200px', '100vw')}${pane}\`
  const [pane, rows] = [root.querySelector('#pane'), root.querySelector('#rows')]
  ${drawRows}</script>`)

const live = await openLive({ routes: { '/map': imageMap, '/narrow-pane': narrowPane, '/shadow-pane': shadowPane } })
afterAll(() => live.close())

test('an area of an image map is listed as a link, is found, and can be clicked', async () => {
  const agent = await live.agent()
  await agent.act({ type: 'navigate', url: '/map' })
  expect(await agent.look()).toMatch(/link "Kitchen" e\d+ #kitchen\n+link "Bath" e\d+ #bath\n+link "Hall" e\d+/)
  expect(await agent.look({ find: 'bath' })).toContain('link "Bath"')
  for (const name of ['Kitchen', 'Bath', 'Hall']) {
    const { ok, text } = await agent.act({ type: 'click', target: name })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining(`opened ${name.toLowerCase()}`) })
  }
  await agent.close()
})

test.each(['/narrow-pane', '/shadow-pane'])(
  'a scroll without a target scrolls the only scrollable pane of %s',
  async (url) => {
    const agent = await live.agent()
    await agent.act({ type: 'navigate', url })
    const { ok, text } = await agent.act({ type: 'scroll', until: 'Row 111.' })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('Row 111.') })
    await agent.close()
  },
)
