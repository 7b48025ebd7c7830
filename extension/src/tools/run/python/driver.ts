/**
 * The interpreter's side, passed to `python3 -c`. Reads one JSON object per line on descriptor 3 and answers on 4; output
 * goes to descriptors 1 and 2 as it comes, and ends with a mark from the request, which shows that it is complete.
 */
export const driver = String.raw`
import ast, json, os, signal, sys, traceback
requests = os.fdopen(3, "r", encoding="utf-8")
answers = os.fdopen(4, "w", encoding="utf-8")
os.set_inheritable(3, False); os.set_inheritable(4, False)
sys.path.insert(0, os.getcwd())
sys.argv = [""]
try:
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance(colors="NoColor")
except Exception:
    shell = None
scope = {"__name__": "__main__", "__builtins__": __builtins__}

def answer(**fields):
    answers.write(json.dumps(fields) + "\n"); answers.flush()

def plain(code):
    tree = ast.parse(code, "<cell>")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), scope)
    if last is None: return None
    value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), scope)
    if value is None: return None
    scope["_"] = value
    return repr(value)

def with_ipython(code):
    done = shell.run_cell(code, store_history=True, silent=False)
    done.raise_error()
    return None if done.result is None else repr(done.result)

def words(error):
    frames = traceback.extract_tb(error.__traceback__)
    inner = [one for one in frames if one.filename != "<string>"]
    text = "Traceback (most recent call last):\n" + "".join(traceback.format_list(inner)) if inner else ""
    return text + "".join(traceback.format_exception_only(type(error), error))

answer(engine="ipython" if shell else "python", version=sys.version.split()[0])
signal.signal(signal.SIGINT, signal.default_int_handler)
for line in requests:
    request = json.loads(line)
    result = error = None
    try:
        result = (with_ipython if shell else plain)(request["code"])
    except SystemExit as stop:
        error = "SystemExit: " + str(stop.code)
    except BaseException as raised:
        error = words(raised)
    try:
        sys.stdout.flush(); sys.stderr.flush()
    except Exception:
        pass
    os.write(1, request["mark"].encode())
    answer(result=result, error=error)
`;
