// The Direct3D 12 declarations: the Windows SDK's (or mingw's) on Windows, DirectX-Headers elsewhere.
#pragma once

#if defined(_WIN32)

// <windows.h> would otherwise define macros named min and max.
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>

#include <d3d12.h>
#include <d3dcommon.h>
#include <dxgi.h>

#elif __has_include(<wsl/winadapter.h>) && __has_include(<directx/d3d12.h>)

#include <wsl/winadapter.h>

#include <directx/d3d12.h>
#include <directx/d3dcommon.h>

#else
#error "sinter/d3d12: DirectX-Headers not found; add its include directory and its include/wsl/stubs as system includes"
#endif
