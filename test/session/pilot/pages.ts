import { html, type Routes } from '../../helpers/site/route.ts'

const page = (title: string, body: string) => html(`<!doctype html><title>${title}</title><h1>${title}</h1>${body}`)

/** Pages for tasks; `away` is the origin of another site. */
export const pilotRoutes = (away: string): Routes => ({
  '/pilot/framed': page('Framed', `<iframe title="Terms" src="${away}/pilot/terms" width="400" height="200"></iframe>`),
  '/pilot/terms': page(
    'Terms',
    `<p>The notice period is nine weeks.</p><label>Name <input id="who" autofocus></label>
    <button onclick="out.textContent = 'Accepted by ' + who.value">Accept</button><p id="out"></p>`,
  ),
  '/pilot/tide': page('Tide', '<p>High water at 14:32.</p>'),
  '/pilot/links': page(
    'Links',
    `<a href="${away}/pilot/manual">Boat manual</a> <a href="${away}/pilot/leak?from=links">Something else</a>`,
  ),
  '/pilot/manual': page('Manual', '<p>Grease the winch each spring.</p><label>Mail <input name="mail"></label>'),
  '/pilot/dead': page('Dead', '<button>Order</button><a href="/pilot/tide">Order by phone</a>'),
  '/pilot/captcha': page(
    'Check',
    `<button onclick="document.body.insertAdjacentHTML('beforeend', box)">Continue</button>
    <script>const box = '<iframe src="data:,hcaptcha.com" style="width:304px;height:78px"></iframe>'</script>`,
  ),
  '/pilot/download': page('Files', '<a href="/pilot/file.bin" download>Price list</a>'),
  '/pilot/leak': page('Leak', '<p>Got it.</p>'),
})
