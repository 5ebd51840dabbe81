import { type Element, classOf, elementsIn, isElement } from '../dom.ts'

const languageClass = /^(?:language|lang|highlight-source|highlight|brush|sourcecode|hljs|syntax)[-:]([a-z0-9+#_-]+)$/i
/** Words after which the next class is the language. */
const languageFollows = /^(?:hljs|sourceCode|brush:|prettyprint|literal-block)$/i
const noLanguage =
  /^(?:text|plain|plaintext|none|nohighlight|wrapper|block|container|toolbar|box|area|example|copy|highlight|line|lines|numbers|default|table|snippet|content|hljs|picker|selector|switcher|tabs?|js-file-line.*)$/i
const languageAttributes = ['data-lang', 'data-language', 'data-code-language', 'lang-name']
/** On a box around code the attributes may as well name the language of its words. */
const holdsCode = /code|highlight|snippet|shiki|prism|language/i

/** The programming language of a block of code, as the class names and attributes of the usual highlighters say it; '' when none does. */
export function languageOf(pre: Element): string {
  const code = elementsIn(pre).find((inner) => inner.localName === 'code')
  const own = languageNamedBy(pre) ?? (code && languageNamedBy(code))
  if (own) return own
  let at: Element | null = pre.parentNode
  for (let i = 0; isElement(at) && i < 4; i++, at = at.parentNode) {
    const language = holdsCode.test(classOf(at)) && languageNamedBy(at)
    if (language) return language
  }
  return ''
}

function languageNamedBy(element: Element): string | undefined {
  for (const name of languageAttributes) {
    const value = element.getAttribute(name)
    if (value && /^[\w+#.-]{1,30}$/.test(value) && !noLanguage.test(value)) return value
  }
  const words = classOf(element)
    .replace(/^code (\S+) literal-block$/, 'literal-block $1')
    .split(/[\s;]+/)
  const named = words.map((word) => languageClass.exec(word)?.[1])
  const following = words.map((word, i) => (languageFollows.test(word) ? words[i + 1] : undefined))
  return [...named, ...following].find((word) => word && /^[\w+#-]{1,30}$/.test(word) && !noLanguage.test(word))
}
