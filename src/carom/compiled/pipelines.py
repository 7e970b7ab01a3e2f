"""What Numba does with a kernel, and what it leaves out.

Numba optimises every function by itself, turns it into machine code, and once more within each
function that calls it. Here every kernel is inlined into an entry point, and that is the only code
anybody runs. So a kernel is translated no further than into the compiler's own language; an entry
point links all that it needs and is optimised once. It is the same code in the end, for a third of
the time.

Numba has places for this, a ``pipeline_class`` for each function and libraries that say what is
done with theirs, but it does not promise that they stay. With versions that nobody has tried, and
with CAROM_COMPILER=plain, Numba compiles as it does by itself, in twice the time.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable
from types import CodeType
from typing import Any

import numba
from llvmlite import binding as llvm
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)

from carom.compiled.components import is_ours

# Of these versions the first and the last, 0.61.2 and 0.68.1, were tried with every kind of run.
FIRST_TRIED, FIRST_UNTRIED = (0, 61), (0, 69)

_ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of these globals begin


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel, to be linked into that of entry points."""

    _shared_module: Any
    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Leave it as it is."""
        self._finalized = True

    def own_module(self) -> Any:
        """The kernel alone, in a form that may be linked more than once, and left out."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        return self._final_module

    def _get_module_for_linking(self) -> Any:
        """The kernel with all that it calls, for a function that Numba compiles by itself."""
        if self._shared_module is None:
            whole = self.own_module().clone()
            for library in _callers_first(self._linking_libraries):
                whole.link_in(_module_of(library), preserve=True)
            self._shared_module = whole
        return self._shared_module


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry point, with that of all kernels in it."""

    _linking_libraries: list[Any]

    def serialize_using_object_code(self) -> Any:
        """For the cache: machine code, and the names in it. Nobody links an entry point."""
        defined = (function.name for function in self.get_defined_functions())
        names = "".join(f'define void @"{name}"() {{ ret void }}\n' for name in defined)
        code = self._get_compiled_object()
        return self.name, "object", (code, llvm.parse_assembly(names).as_bitcode())

    def finalize(self) -> None:
        """Link, optimise and turn into machine code, once for all kernels."""
        self._linking_libraries = [_Linked(x) for x in _callers_first(self._linking_libraries)]
        super().finalize()
        self._linking_libraries = []
        # What a kernel needs to raise an exception; Numba sets that of the entry point itself.
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)


class _Linked:
    """A library as ``finalize`` sees those that are linked."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._reload_init = _to_run_again(library)

    def _get_module_for_linking(self) -> Any:
        return _module_of(self._library)


def _to_run_again(library: Any) -> Any:
    """What has to be run when the code is loaded again; older versions of Numba have nothing."""
    return getattr(library, "_reload_init", ())


def _module_of(library: Any) -> Any:
    if isinstance(library, KernelLibrary):
        return library.own_module()
    return library._get_module_for_linking()


def _callers_first(libraries: list[Any]) -> list[Any]:
    """These libraries and all that kernels among them call.

    Callers stand before what they call: what nobody has asked for yet is not linked.
    """
    order: dict[Any, None] = {}

    def visit(library: Any) -> None:
        if library in order:
            return
        if isinstance(library, KernelLibrary):
            for called in library._linking_libraries:
                visit(called)
        order[library] = None

    for library in libraries:
        visit(library)
    return list(order)[::-1]


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):  # type: ignore[misc]
    """Translates a kernel, and makes it known to those who call it, without machine code."""

    _name = "carom_kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.flags.no_compile = True
        super().run_pass(state)
        lowered, library = state["cr"], state.library
        # Numba knows compiled functions by such objects; nobody can call this one.
        key = _dynfunc.make_function(
            lowered.fndesc.lookup_module(), lowered.fndesc.qualname, "", 0, lowered.env, (library,)
        )
        state.targetctx.insert_user_function(key, lowered.fndesc, [library])
        state.reload_init.extend(_to_run_again(library))
        state["cr"] = lowered._replace(cfunc=key)
        return True


class _Passes(PassManager):  # type: ignore[misc]
    """The same passes for kernel after kernel, without a record of how long each took."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:  # noqa: N802
        step.analysis = self._analysis
        step.run_initialization(state)
        step.run_pass(state)
        step.run_finalizer(state)


def _passes(name: str, steps: Iterable[Any]) -> _Passes:
    manager = _Passes(name)
    for step in steps:
        manager.add_pass(step, step.__name__)
    manager.finalize()
    return manager


# What plain functions need; no closures, no exceptions, no arithmetic of whole arrays.
_PLAIN = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
)
_PLAIN_KERNELS = _passes("nopython", (*_PLAIN, _KernelLowering, NoPythonBackend))
_PLAIN_ENTRY_POINTS = _passes("nopython", (*_PLAIN, NativeLowering, NoPythonBackend))


def _is_plain(function: Any) -> bool:
    """Whether a function is one of the package, without any functions inside."""
    code = function.__code__
    inside = any(isinstance(constant, CodeType) for constant in code.co_consts)
    return is_ours(function) and not inside


class _Kernels(Compiler):  # type: ignore[misc]
    """Compiles a kernel."""

    def define_pipelines(self) -> list[Any]:
        self.state.library = _new_library(KernelLibrary, self.state)
        if _is_plain(self.state.func_id.func):
            return [_PLAIN_KERNELS]
        whole = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps = (step for step, _ in whole.passes)
        return [_passes("nopython", (_INSTEAD.get(step, step) for step in steps))]


_INSTEAD = {NativeLowering: _KernelLowering}


class _EntryPoints(Compiler):  # type: ignore[misc]
    """Compiles an entry point, and the kernels that it is the first to need."""

    def define_pipelines(self) -> list[Any]:
        self.state.library = _new_library(EntryLibrary, self.state)
        if _is_plain(self.state.func_id.func):
            return [_PLAIN_ENTRY_POINTS]
        return super().define_pipelines()  # type: ignore[no-any-return]

    def compile_extra(self, func: Any) -> Any:
        # Millions of small objects are made, and nearly all of them are needed until the end.
        was_collecting = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(func)
        finally:
            if was_collecting:
                gc.enable()


def _new_library(kind: Any, state: Any) -> Any:
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


# Whether all this is used: where it was tried, and unless somebody wants to compare.
IS_USED = (
    FIRST_TRIED <= numba.version_info.short < FIRST_UNTRIED
    and os.environ.get("CAROM_COMPILER") != "plain"
)
FOR_KERNELS: dict[str, Any] = {"pipeline_class": _Kernels} if IS_USED else {}
FOR_ENTRY_POINTS: dict[str, Any] = {"pipeline_class": _EntryPoints} if IS_USED else {}
