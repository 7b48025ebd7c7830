import time


def setup_standard(env, data_row=None):
    result = env.step("mkdir -p /home/devuser/evaluation")
    if result["exit_code"] != 0:
        raise RuntimeError("no folder")
    env.step("code --disable-workspace-trust /home/devuser/evaluation")
    if not env.is_window_present("Code - OSS"):
        raise RuntimeError("no window")
    time.sleep(5)


def setup_document(env, data_row):
    setup_standard(env, data_row)
    env.step('echo "old and old" > /home/devuser/evaluation/document.txt')
    som = env.get_som_image(env.render())
    mark = next(key for key, value in som[0][3].items() if "document.txt" in value)
    env.run_command(f"xdotool mousemove {som[0][1][mark][0]} {som[0][1][mark][1]} click --repeat 2 1")


def setup_program(env, data_row):
    env.file_write("/home/devuser/evaluation/double.py", "import sys\n\nprint(int(sys.argv[1]) + 2)\n")
