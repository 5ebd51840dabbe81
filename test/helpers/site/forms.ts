import { answer, html, type Routes } from './route.ts'

/** Pages for actions. */
export const formRoutes: Routes = {
  '/form': html(
    `<!doctype html><title>Form</title><meta charset="utf-8">
    <p>${'A form with fields of many kinds, each of which can be filled in. '.repeat(3)}</p><input id="title"><textarea id="story"></textarea><div id="note" contenteditable style="min-height: 20px"></div>
    <button id="go">Go</button><button class="each">1</button><button class="each">2</button><button class="each">3</button>
    <button id="hidden" hidden>hidden</button><button id="unseen" style="visibility: hidden">unseen</button>
    <a id="link" href="/plain">on</a><a id="download" href="/file.zip">save</a><a id="blank" href="/plain" target="_blank">new</a>
    <label id="label"><input id="box" type="checkbox"> box</label>
    <div style="position: relative"><button id="covered">covered</button><div style="position: absolute; inset: -5px; background: #ccc"></div></div>
    <div style="position: relative"><button id="fading">fading</button><div id="veil" style="position: absolute; inset: -5px; background: #ccc"></div></div>
    <div id="pane" style="height: 100px; overflow: auto"><div style="height: 900px"></div><button id="inside">inside</button></div>
    <div style="height: 3000px"></div><button id="far">far</button>
    <ol id="log"></ol><script>
    const log = (text) => document.querySelector('#log').append(Object.assign(document.createElement('li'), { textContent: text }))
    document.addEventListener('click', ({ target, isTrusted }) => target.closest('button') && log('click ' + (target.closest('button').id || target.textContent) + ' ' + isTrusted))
    document.addEventListener('keydown', ({ key, ctrlKey, shiftKey }) => log('key ' + (ctrlKey ? 'Control+' : '') + (shiftKey ? 'Shift+' : '') + key))
    for (const each of document.querySelectorAll('.each')) each.addEventListener('click', () => each.remove())
    setTimeout(() => { document.querySelector('#veil').remove() }, 500)
    setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<button id="late">late</button>') }, 600)
    </script>`,
  ),
  /** A site that forbids code created from text. */
  '/strict': html('<!doctype html><title>Strict</title><p>Strict page.</p>', {
    'content-security-policy': `default-src 'none'; require-trusted-types-for 'script'`,
  }),
  '/tall': html(
    `<!doctype html><title>Tall</title><style>body { margin: 0 } html { scroll-behavior: smooth }</style><div style="height: 5000px">tall</div>`,
  ),
  '/login': html(({ request }) => {
    const isIn = /(?:^|; )session=ann/.test(request.headers.cookie ?? '')
    const form = '<form method="post" action="/login/in"><input name="user"><button>Log in</button></form>'
    return `<!doctype html><title>Login</title>${isIn ? '<p>Hello, Ann.</p>' : form}`
  }),
  '/login/in': answer(303, { location: '/login', 'set-cookie': 'session=ann; Path=/; HttpOnly' }),
}
