import { findFramePoint, focusedFrame, foreignFrames } from './actions/frames.ts'
import { findClickPoint, pressTaker, wasDropped, watchDrop, watchPress } from './actions/aim.ts'
import { extractContent, extractRows } from './actions/extract.ts'
import {
  chooseOptions,
  focusElement,
  moveToEnd,
  readField,
  resolveField,
  selectAll,
  setValue,
  suggestionOf,
  valueTaken,
} from './actions/fields.ts'
import { findText, scrollToText } from './actions/find.ts'
import { boxOf, isTextShown, placeOf, screensLeft, scrollAround, scrollIntoView } from './actions/scroll.ts'
import { resolveTarget } from './actions/target.ts'
import { nextRef, startRefsAt } from './dom/refs.ts'
import { readElement, readSnapshot } from './snapshot/read.ts'

/** Functions that take or return refs of elements. */
const withRefs = {
  boxOf,
  chooseOptions,
  extractContent,
  extractRows,
  findClickPoint,
  findFramePoint,
  findText,
  focusedFrame,
  focusElement,
  foreignFrames,
  isTextShown,
  moveToEnd,
  placeOf,
  pressTaker,
  readElement,
  readField,
  readSnapshot,
  resolveField,
  resolveTarget,
  screensLeft,
  scrollAround,
  scrollIntoView,
  scrollToText,
  selectAll,
  setValue,
  suggestionOf,
  valueTaken,
  wasDropped,
  watchDrop,
  watchPress,
}
export type RefFunctions = typeof withRefs

/** Calls one of them with refs that start at a number. Says at which the next ones may start, and where the document is. */
export async function callWithRefs(firstRef: number, name: keyof RefFunctions, ...args: readonly unknown[]) {
  startRefsAt(firstRef)
  const value = await (withRefs[name] as (...given: readonly unknown[]) => unknown)(...args)
  return { value, nextRef: nextRef(), url: location.href }
}
