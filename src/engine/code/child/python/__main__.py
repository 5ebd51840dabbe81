"""Runs a piece of Python code with page, context and browser."""
import ast, asyncio, base64, inspect, json, linecache, os, re, sys, traceback
import browser_channel as channel
import playwright_api as api


def show(value):
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, api.Chain):
        return repr(value)
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)


def evaluate(code, scope):
    """Runs the code and returns the value of its last expression. Code with await runs in an event loop; other code
    may start its own."""
    tree = ast.parse(code, 'code.py')
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    parts = [compile(each, 'code.py', kind, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
             for each, kind in ((tree, 'exec'), (last, 'eval')) if each is not None]

    async def in_loop():
        value = None
        for part in parts:
            value = eval(part, scope)
            if inspect.isawaitable(value):
                value = await value
        for callback in channel.running_callbacks:
            await callback
        return value if last is not None else None

    if any(part.co_flags & inspect.CO_COROUTINE for part in parts):
        return asyncio.run(in_loop())
    value = None
    for part in parts:
        value = eval(part, scope)
    if inspect.isawaitable(value):
        return asyncio.run(channel.as_coroutine(value))
    return value if last is not None else None


def run(job):
    code = job['code']
    linecache.cache['code.py'] = (len(code), None, code.splitlines(True), 'code.py')
    try:
        objects = api.objects()
        api.SessionPlaywright.browser = objects['browser']
        scope = {'__name__': '__main__', 'asyncio': asyncio, 'json': json, 're': re, **objects}
        return {'lastValue': show(evaluate(code, scope))}, 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return {}, end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException as error:
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == 'code.py']
        head = ['Traceback (most recent call last):\n'] if own else []
        sys.stderr.write(''.join(head + traceback.format_list(own) + traceback.format_exception_only(type(error), error)))
        return {'error': f'{type(error).__name__}: {error}'}, 1


api.install()
# This is our own folder: code must not import our modules.
sys.path.pop(0)
done, exit_code = run(channel.next_job())
sys.stdout.flush()
sys.stderr.flush()
channel.close(done)
os._exit(exit_code & 255)
