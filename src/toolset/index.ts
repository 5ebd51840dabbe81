import { type Tool, toolsOf } from '../kernel/tool.ts'
import { operations } from '../operations/index.ts'
import { activityTool } from './activity.ts'
import { agentTool } from './agent.ts'
import { browserActTool } from './browser-act.ts'
import { browserCloseTool } from './browser-close.ts'
import { browserExecuteTool } from './browser-execute.ts'
import { crawlCancelTool } from './crawl-cancel.ts'
import { crawlStatusTool } from './crawl-status.ts'
import { crawlTool } from './crawl.ts'
import { usageTool } from './usage.ts'

/** The tools that stand for several operations each; every other operation that is a tool is one by itself. */
const merged = [
  activityTool,
  agentTool,
  browserActTool,
  browserCloseTool,
  browserExecuteTool,
  crawlCancelTool,
  crawlStatusTool,
  crawlTool,
  usageTool,
]

export const tools: readonly Tool[] = toolsOf(operations, merged)
