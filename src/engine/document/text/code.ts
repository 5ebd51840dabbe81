import type { Converter } from '../converter.ts'
import { languageOf } from '../media-types.ts'
import { fenced, textOf } from './decode.ts'

export const readCode: Converter = (source) => ({
  markdown: fenced(textOf(source), languageOf(source.contentType, source.url)),
})

export const readXml: Converter = (source) => ({ markdown: fenced(textOf(source), 'xml') })
