import { expect, test } from 'vitest'
import { answer, close, rawSite, reset } from '../net/raw-site.ts'
import { textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const form =
  '<!doctype html><form method="post" action="/form"><input name="who" value="Ada"><button>Send</button></form>'

test.each([
  ['resets', reset],
  ['closes', close],
])('a click submits its form again if the site %s the reused connection when the form arrives', async (_, ends) => {
  const { url, requests } = await rawSite([answer(form), ends, answer('<!doctype html><p>Thank you, Ada.</p>')])
  const browser = await sharedRenderer()
  const page = await browser.render(url('/page'), { actions: [{ type: 'click', selector: 'button', all: false }] })
  expect(textOf(page)).toContain('Thank you, Ada.')
  expect(requests).toEqual([
    { text: 'GET /page', connection: 1 },
    { text: 'POST /form who=Ada', connection: 1 },
    { text: 'POST /form who=Ada', connection: 2 },
  ])
})
