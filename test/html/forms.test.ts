import { describe, expect, it } from 'vitest'
import { main, page, prose } from './frame.ts'
import { read } from './read.ts'

const permit = `<form action="/permits" method="post"><fieldset><legend>Permit</legend>
  <label for="ship">Ship</label> <input id="ship" name="ship" placeholder="Name of the ship" value="Anna" onfocus="track()">
  <label>Berth <select name="berth"><optgroup label="North"><option value="1">One</option><option value="2" selected>Two</option></optgroup></select></label>
  <label><input type="radio" name="load" value="wood" checked> Wood</label> <label><input type="radio" name="load" value="wool"> Wool</label>
  <textarea name="note" rows="3">Come at dawn.</textarea>
  <input type="hidden" name="token" value="UNSEEN_TOKEN"><input type="password" name="pin" value="UNSEEN_PIN">
  <input name="trap" value="UNSEEN_TRAP" style="display: none">
  <button type="submit" formaction="javascript:track()">Send</button></fieldset></form>`
const around = (form: string) => page(`<main><h1>Harbour</h1>${prose('the harbour')}${form}</main>`)
const whole = (form: string) => read(around(form), ['html', 'markdown'])

describe('the html of a whole page', () => {
  const { html = '' } = whole(permit)

  it.each([
    ['fields with their values', '<input id="ship" name="ship" placeholder="Name of the ship" value="Anna">'],
    ['options of a select', '<optgroup label="North"><option value="1">One</option><option value="2" selected'],
    ['radio buttons', '<input type="radio" name="load" value="wool">'],
    ['text areas', '<textarea name="note" rows="3">Come at dawn.</textarea>'],
    ['labels', '<label for="ship">Ship</label>'],
    ['buttons', '<button type="submit">Send</button>'],
    ['the address of a form', '<form action="https://ex.com/permits" method="post">'],
    ['password fields without their values', '<input type="password" name="pin">'],
  ])('keeps %s', (_, text) => expect(html).toContain(text))

  it('hides text that a person does not see', () => expect(html).not.toMatch(/UNSEEN|track/))

  it('has no form controls in the main content', () => {
    expect(read(around(permit), ['html'], main).html).not.toMatch(/<(?:input|select|textarea|button)/)
  })
})

describe('markdown', () => {
  it('has no form controls, whether or not html is requested too', () => {
    const { markdown } = whole(permit)
    expect(markdown).not.toMatch(/Anna|Two|dawn/)
    expect(read(around(permit), ['markdown']).markdown).toBe(markdown)
  })

  it('keeps the boxes of task lists', () => {
    const tasks = '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> to do</li></ul>'
    expect(whole(tasks).markdown).toContain('- [x] done\n- [ ] to do')
  })
})

const fields = (count: number) => Array.from({ length: count }, (_, index) => `<input name="field${index}">`).join('')
const fieldsOf = (body: string) => read(page(body), ['metadata']).formFields

describe('the number of form fields', () => {
  it.each([
    ['counts visible fields, and radio buttons of one name once', permit, 5],
    ['is that of the largest form', `<form>${fields(2)}</form><form>${fields(4)}</form>`, 4],
    ['counts fields without a form', `<main>${fields(3)}<select></select></main>`, 4],
    ['counts a single field other than a search', '<main><form><input name="parcel"></form></main>', 1],
    ['counts fields outside their form', `<form id="f"></form><input form="f"><input form="f">`, 2],
  ])('%s', (_, body, count) => expect(fieldsOf(body)).toBe(count))

  it.each([
    ['a page without fields', '<p>Words.</p>'],
    ['a search', '<form role="search"><input name="words"><select name="where"></select></form>'],
    ['a search by its field', '<form action="/find"><input type="search" name="q"></form>'],
    [
      'a newsletter',
      '<main><form class="newsletter"><input name="name"><input type="email" name="email"></form></main>',
    ],
    ['a lone e-mail field', '<main><form><input type="email" name="email"><button>Join</button></form></main>'],
    ['a form in the header', `<header><form>${fields(2)}</form></header>`],
    ['a form in the footer', `<footer><form>${fields(3)}</form></footer>`],
    ['a hidden form', `<form hidden>${fields(3)}</form><div style="display:none">${fields(2)}</div>`],
    ['choices about cookies', `<div id="CybotCookiebotDialog"><form>${fields(4)}</form></div>`],
    ['buttons', '<form><input type="submit"><input type="button"><button>Go</button></form>'],
    ['fields that cannot be filled in', '<form><input disabled><textarea readonly></textarea></form>'],
    [
      'radio buttons outside a form',
      '<main><input type="radio" name="t" id="a"><label for="a">One</label><input type="radio" name="t"></main>',
    ],
  ])('is absent for %s', (_, body) => expect(fieldsOf(body)).toBeUndefined())
})

it('a page of 100,000 fields is read', () => {
  const count = 100_000
  expect(fieldsOf(`<form id="f"></form>${'<input form="f">'.repeat(count)}`)).toBeGreaterThan(1000)
})
