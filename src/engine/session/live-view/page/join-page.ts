import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'

/** Each after those that it imports. */
const modules = [
  'elements.ts',
  'link.ts',
  'screen.ts',
  'pointer.ts',
  'touch.ts',
  'keyboard.ts',
  'fields.ts',
  'files.ts',
  'dialog.ts',
  'toolbar.ts',
  'main.ts',
]
const styles = ['live-view.css', 'stage.css', 'dialogs.css', 'narrow.css']
const file = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')

/** The page of the live view as one document. `small` may make the script and the style shorter. */
export function joinedPage(small = (text: string, _kind: 'js' | 'css') => text): string {
  // A function, because `$` in a replacement text means something.
  return file('live-view.html')
    .replace('/* style */', () => small(styles.map(file).join(''), 'css').trim())
    .replace('/* script */', () => small(script(), 'js').trim())
}

/** The modules in one script: each is a function that returns what it exports. */
function script(): string {
  const parts = modules.map((name) => {
    const plain = nodeModule.stripTypeScriptTypes(file(name))
    const exported = Array.from(plain.matchAll(/^export (?:async )?(?:function|const|let) (\w+)/gm), ([, word]) => word)
    const body = plain
      .replace(/^import \{([^}]*)\} from '\.\/([\w.-]+)'$/gm, (_, names: string, from: string) => {
        return `const {${names}} = modules['${from}']`
      })
      .replace(/^export /gm, '')
    return `modules['${name}'] = (() => {\n${body}\nreturn { ${exported.join(', ')} }\n})()`
  })
  return `'use strict'\nconst modules = {}\n${parts.join('\n')}\n`
}
