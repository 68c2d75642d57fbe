"""Which device a worker computes on."""

from typing import Any


def pick_device(wanted: str, torch: Any) -> str:
    """``auto``: the GPU that Spark assigned to this task, else one by the task's turn, else Apple's, else the CPU."""
    if wanted != "auto":
        return wanted
    if torch.cuda.is_available():
        return f"cuda:{_assigned_gpu(torch.cuda.device_count())}"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _assigned_gpu(count: int) -> int:
    """Spark hands out addresses but doesn't set CUDA_VISIBLE_DEVICES; in local mode it hands out none."""
    try:
        from pyspark import TaskContext

        task = TaskContext.get()
    except ImportError:
        return 0
    if task is None:
        return 0
    gpus = task.resources().get("gpu")
    return int(gpus.addresses[0]) if gpus else task.partitionId() % count
