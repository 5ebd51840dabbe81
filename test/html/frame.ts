/** Shapes of whole pages for tests of the main content. */
export const main = { onlyMainContent: true }

export const prose = (about: string) =>
  `<p>${`This sentence tells the reader something about ${about}, which takes a few words to say. `.repeat(4)}</p>`

export const menu = (words: readonly string[]) =>
  words.map((word) => `<li><a href="/${word}">${word}</a></li>`).join('')

export function page(content: string, head = ''): string {
  return `<!doctype html><html><head><title>Page</title>${head}</head><body>
    <header class="site-header"><nav><ul>${menu(['Products', 'Pricing', 'Login'])}</ul></nav></header>
    ${content}
    <footer><p>Copyright Brand</p><ul>${menu(['Imprint', 'Careers'])}</ul></footer></body></html>`
}
