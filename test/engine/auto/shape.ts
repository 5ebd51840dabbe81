/** A kind of page whose HTML is complete; `size` 0 is its shortest form, 3 its longest. */
export type Shape = { name: string; page(size: number): string; status?: number }

const topics = ['bees', 'bridges', 'ledgers', 'glaciers', 'kilns']
export const topicOf = (size: number) => topics[size % topics.length] ?? 'bees'
export const titled = (size: number) => `All about ${topicOf(size)}`

export const sentence = (about: string) =>
  `Some of what is known of ${about} was written down by people who kept them. `
export const prose = (about: string, sentences = 4) => `<p>${sentence(about).repeat(sentences)}</p>`
export const times = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('')
export const links = (words: readonly string[]) =>
  words.map((word) => `<li><a href="/${word.toLowerCase()}">${word}</a></li>`).join('')

export const bundle = '<script type="module" crossorigin src="/assets/index-4f3a91.js"></script>'
export const analytics = `<script async src="https://stats.example.com/tag.js?id=T-1"></script>
<script>window.dataLayer=window.dataLayer||[];function tag(){dataLayer.push(arguments)}tag('js',new Date());</script>
<noscript><iframe src="https://stats.example.com/ns.html" height="0" width="0" style="display:none"></iframe></noscript>`
/** Code of tag managers and ad servers, with words that also occur in shells. */
export const heavyScripts = `${analytics}<script>(function(w,d){var l=w.location;if(l.hash==='#debug'){w.location.href='/debug'}
var s=d.createElement('script');s.src='//ads.example.com/lib.js';d.head.appendChild(s)})(window,document)</script>
${times(12, (at) => `<script defer src="/static/chunk-${at}.js"></script>`)}`

export function html(body: string, { head = '', title = 'Page', lang = 'en' } = {}): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`
}

/** A body between the header and the footer of a site. */
export const framed = (
  content: string,
) => `<header><a href="/"><img src="/logo.svg" alt="Acme"></a><nav><ul>${links(['Products', 'Pricing', 'About'])}</ul></nav></header>
<main>${content}</main><footer><ul>${links(['Imprint', 'Privacy'])}</ul><p>© Acme</p></footer>`

export const bareShape = (name: string, body: (size: number) => string): Shape => ({
  name,
  page: (size) => html(body(size)),
})
export const framedShape = (name: string, content: (size: number) => string): Shape =>
  bareShape(name, (size) => framed(content(size)))
