import type { PopupField } from '../../page-script/page/live-view-fields.ts'
import { z } from 'zod'
import { parseJson } from '../../../util/json.ts'

/** Messages allowed without control. */
const watching = [
  /** Acknowledges a frame, so the next one can be sent. */
  z.object({ type: z.literal('ack'), n: z.int() }),
  z.object({ type: z.literal('look'), on: z.boolean() }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('watch'), tab: z.string().max(100) }),
] as const

const place = { x: z.number().min(-10_000).max(100_000), y: z.number().min(-10_000).max(100_000) }
/** Modifier bits of the DevTools Protocol: Alt 1, Ctrl 2, Meta 4, Shift 8. */
const mods = z.int().min(0).max(15).default(0)
const button = z.enum(['none', 'left', 'middle', 'right']).default('none')
const clicks = z.int().min(0).max(3).default(0)
const distance = z.number().min(-20_000).max(20_000)
/** Side of a screen in CSS pixels. */
const side = z.int().min(200).max(1600)
const maxText = 10_000
const maxPasted = 100_000

const controlling = [
  z.object({
    type: z.literal('mouse'),
    do: z.enum(['move', 'down', 'up']),
    ...place,
    button,
    clicks,
    buttons: z.int().min(0).max(31).default(0),
    mods,
  }),
  z.object({ type: z.literal('wheel'), ...place, dx: distance, dy: distance, mods }),
  /** Touch input; answered with the on-screen keyboard to show. */
  z.object({ type: z.literal('tap'), ...place, button: z.enum(['left', 'right']).default('left'), clicks }),
  z.object({
    type: z.literal('key'),
    do: z.enum(['down', 'up']),
    key: z.string().min(1).max(32),
    code: z.string().max(32).default(''),
    vk: z.int().min(0).max(255).default(0),
    place: z.int().min(0).max(3).default(0),
    repeat: z.boolean().default(false),
    mods,
  }),
  z.object({ type: z.literal('text'), text: z.string().min(1).max(maxText) }),
  /** Uncommitted text of an input method. */
  z.object({ type: z.literal('compose'), text: z.string().max(1000) }),
  z.object({ type: z.literal('paste'), text: z.string().min(1).max(maxPasted) }),
  z.object({ type: z.literal('copy'), how: z.enum(['copy', 'cut']) }),
  z.object({ type: z.literal('open'), address: z.string().min(1).max(8000) }),
  z.object({ type: z.literal('go'), where: z.enum(['back', 'forward', 'reload', 'stop']) }),
  z.object({ type: z.literal('newTab') }),
  /** Lays the page out for a screen of this size, until a message without a size or until the viewer leaves. */
  z.object({ type: z.literal('fit'), size: z.object({ width: side, height: side }).optional() }),
  /** Pauses the agents. `again`: the viewer had control before the connection was lost. */
  z.object({ type: z.literal('takeOver'), again: z.boolean().default(false) }),
  z.object({ type: z.literal('giveBack') }),
  z.object({ type: z.literal('extend') }),
  z.object({ type: z.literal('endSession') }),
  z.object({ type: z.literal('answer'), request: z.int().min(1), as: z.enum(['done', 'declined']) }),
  z.object({ type: z.literal('closeTab'), tab: z.string().max(100) }),
  z.object({ type: z.literal('dialog'), accept: z.boolean(), text: z.string().max(maxText).optional() }),
  /** Option index for a select, value for any other field. */
  z.object({ type: z.literal('choose'), value: z.union([z.int().min(0), z.string().max(100)]) }),
  /** Announces binary messages with the bytes, file after file. Empty: the chooser was cancelled. */
  z.object({
    type: z.literal('files'),
    files: z.array(z.object({ name: z.string().max(1000), size: z.int().min(0) })).max(10),
  }),
] as const

const look = z.discriminatedUnion('type', watching)
const act = z.discriminatedUnion('type', controlling)
export type ViewMessage = z.infer<typeof look>
/** Actions of a viewer in the session; they need control. */
export type ViewerAction = z.infer<typeof act>
export type ViewerActionOf<T extends ViewerAction['type']> = Extract<ViewerAction, { type: T }>

const attendance = ['takeOver', 'giveBack', 'extend', 'endSession', 'answer'] as const
export type AttendMessage = ViewerActionOf<(typeof attendance)[number]>
/** True for actions that concern the session rather than its pages. */
export const isAttendance = (message: ViewerAction): message is AttendMessage =>
  attendance.some((type) => type === message.type)

/** Returns undefined for an invalid message. */
export function parseMessage(
  text: string,
): { kind: 'look'; message: ViewMessage } | { kind: 'act'; message: ViewerAction } | undefined {
  const value = parseJson(text)
  const looks = look.safeParse(value)
  if (looks.success) return { kind: 'look', message: looks.data }
  const acts = act.safeParse(value)
  return acts.success ? { kind: 'act', message: acts.data } : undefined
}

export type ShownTab = { id: string; url: string; title: string }
export type ShownDialog = { kind: string; message: string; defaultText: string }
/** An act of an agent or a person. `at`: ms since the epoch; `picture`: data URL of the page after it. */
export type ShownAct = { n: number; at: number; text: string; hasFailed?: true; picture?: string | undefined }
export type ShownFile = { id: string; name: string; bytes: number }
export type ViewState = {
  tabs: readonly ShownTab[]
  watching: string | undefined
  back: boolean
  forward: boolean
  loading: boolean
  dialog: ShownDialog | undefined
  /** Current action of an agent, and its position in this tab. */
  doing: { text: string; at?: { x: number; y: number } | undefined } | undefined
  /** The act that an agent will do once the person in control has given control back. */
  waits: string | undefined
  files: readonly ShownFile[]
  /** Viewer that has taken over, which makes agents wait. */
  held: 'you' | 'another' | undefined
  isFitted: boolean
  request: { id: number; message: string } | undefined
}

/** Messages to viewers. Frames are binary: length of the header (16 bit, big-endian), header as JSON, JPEG. */
export type ServerMessage =
  | { type: 'hello'; role: 'view' | 'control' }
  | ({ type: 'state' } & ViewState)
  | { type: 'acts'; acts: readonly ShownAct[] }
  | { type: 'time'; leftMs: number }
  | { type: 'field'; field: PopupField }
  | { type: 'wantFiles'; multiple: boolean; maxFiles: number; maxBytes: number }
  | { type: 'copied'; text: string }
  /** On-screen keyboard for the tapped element; undefined if it takes no text. */
  | { type: 'keyboard'; mode: string | undefined }
  | { type: 'notice'; text: string }
  | { type: 'readOnly' }
  | { type: 'pong' }
  | { type: 'end'; why: string }
export type FrameHeader = { n: number; width: number; height: number }
/** A frame as sent, and its number. */
export type ScreencastFrame = { n: number; message: Uint8Array }
