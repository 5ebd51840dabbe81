import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleForBrowser } from '../../../browser/world/bundle.ts'

const file = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url))
const browsers = ['chrome123', 'firefox120', 'safari17.5']

/** The page of the live view as one document, with its scripts and styles in it. */
export async function bundlePage(form: 'minified' | 'readable'): Promise<string> {
  const options = { minify: form === 'minified', target: browsers }
  const [html, style, script] = await Promise.all([
    readFile(file('live-view.html'), 'utf8'),
    bundleForBrowser(file('styles/main.css'), options),
    bundleForBrowser(file('main.ts'), options),
  ])
  // Functions, because `$` in a replacement text has a meaning.
  return html.replace('/* style */', () => style.trim()).replace('/* script */', () => script.trim())
}
